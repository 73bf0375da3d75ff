// Holds every `import` line of Sources/ and Generated/ against a copy of the module table in ARCHITECTURE.md.
import Foundation
import TestSupport
import Testing

@Suite struct ImportTableTests {
  /// The modules that each module may import, those of the platform included.
  static let allowed: [String: Set<String>] = [
    "ModelSchema": ["CLibYAML", "Foundation"],
    "ModelEmitters": ["ModelSchema"],
    "modelgen": [
      "Commands", "ModelSchema", "ModelEmitters", "ArgumentParser", "Foundation", "Glibc", "Darwin", "Musl",
    ],
    "WireFormat": [],
    "Snapshots": ["Synchronization"],
    "Determinism": ["Glibc", "Darwin", "Musl", "Android", "Synchronization"],
    "ModelTypes": [
      "WireFormat", "Determinism", "SyncProtocol", "Snapshots", "Crypto", "Foundation", "Synchronization",
    ],
    "JSON": [],
    "SyncProtocol": ["JSON", "WireFormat", "CZlib", "Crypto"],
    "GraphQL": ["JSON", "Synchronization"],
    "SyncServer": [
      "GraphQL", "SyncProtocol", "JSON", "WireFormat", "Determinism", "Crypto", "GRDB", "DequeModule", "HeapModule",
      "Foundation", "Glibc", "Darwin", "Musl",
    ],
    "SyncPostgres": [
      "SyncServer", "SyncProtocol", "WireFormat", "Determinism", "DequeModule", "CLibPQ", "Foundation",
    ],
    "SyncS3": [
      "SyncServer", "SyncProtocol", "WireFormat", "Determinism", "Crypto", "AsyncHTTPClient", "NIOCore", "NIOHTTP1",
      "Foundation", "FoundationXML", "Synchronization",
    ],
    "modelserver": [
      "SyncServer", "SyncPostgres", "SyncS3", "GraphQL", "SyncProtocol", "JSON", "WireFormat", "Determinism",
      "Commands",
      "ArgumentParser",
      "JWTKit", "AsyncHTTPClient",
      "Hummingbird", "HummingbirdCore", "HTTPTypes", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "Logging",
      "ServiceLifecycle",
      "UnixSignals", "Foundation", "Synchronization", "Glibc", "Darwin", "Musl",
    ],
    "ClientStore": [
      "WireFormat", "Determinism", "ModelTypes", "SyncProtocol", "Snapshots", "CStoreSQLite", "GRDB", "GRDBSQLite",
      "Foundation", "Observation", "Dispatch",
    ],
    "ClientSync": [
      "ClientStore", "SyncProtocol", "JSON", "Determinism", "ModelTypes", "WireFormat", "Foundation",
      "FoundationNetworking",
    ],
    "ModelRuntime": ["WireFormat", "ModelTypes", "SyncProtocol", "Snapshots", "ClientStore", "ClientSync"],
    "ModelSupport": [
      "WireFormat", "Determinism", "ModelTypes", "SyncProtocol", "Snapshots", "ClientStore", "ClientSync",
    ],
    "ModelTesting": [
      "ModelSupport", "SyncServer", "GraphQL", "SyncProtocol", "Determinism", "Foundation", "Synchronization",
    ],
    "ModelRuntimeUI": ["ModelRuntime", "ClientStore", "ModelTypes", "Determinism", "Observation", "SwiftUI"],
    "Commands": ["ArgumentParser", "Glibc", "Darwin", "Musl"],
    "modelinspect": ["ModelSupport", "Commands", "ArgumentParser", "Foundation", "Glibc", "Darwin", "Musl"],
  ]

  /// Folders without I/O and locks, and the modules that each may import: the engine of sync, and what the server decides.
  static let pureFolders: [String: Set<String>] = [
    "ClientStore/Outbox": ["WireFormat", "SyncProtocol"],
    "ClientStore/Ledger": ["WireFormat", "SyncProtocol"],
    "ClientSync/Machine": ["WireFormat", "SyncProtocol", "JSON", "ClientStore"],
    "SyncServer/Deciding": ["WireFormat", "SyncProtocol", "Determinism"],
  ]

  /// Names of what is around these folders in their own modules, where no import line tells of it.
  static let impureNames: Set<String> = [
    "ModelStore", "StoreMemory", "StoreReader", "StoreWriter", "reader", "writer", "withLock", "Effects", "SyncClient",
    "QueueStorage", "QueueSnapshot", "QueueTransaction", "await",
  ]

  /// Modules in C, which have no `import` lines of Swift.
  static let inC: Set<String> = ["CLibPQ", "CLibYAML", "CStoreSQLite", "CZlib"]

  @Test func everyImportIsInTheTable() throws {
    let sources = Repository.url("Sources")
    let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter { !Self.inC.contains($0) }
    #expect(Set(modules) == Set(Self.allowed.keys), "a module is missing in the table, or has gone")
    for module in modules {
      for (file, imports) in try importsByFile(in: sources.appending(path: module)) {
        let forbidden = imports.subtracting(Self.allowed[module] ?? [])
        #expect(forbidden.isEmpty, "\(file) must not import \(forbidden.sorted())")
      }
    }
  }

  @Test func pureFoldersKnowNoDiskLockOrTask() throws {
    for (folder, allowed) in Self.pureFolders {
      let files = try textsByFile(in: Repository.url("Sources/\(folder)"))
      #expect(!files.isEmpty, "\(folder) has gone")
      for (file, text) in files {
        let forbidden = imports(in: text).subtracting(allowed).union(Self.impureNames.intersection(names(in: text)))
        #expect(forbidden.isEmpty, "\(folder)/\(file) must not use \(forbidden.sorted())")
      }
    }
  }

  @Test func onlyFoldersOfTheDatabaseKnowGRDB() throws {
    let files = try importsByFile(in: Repository.url("Sources/ClientStore")).filter { $0.value.contains("GRDB") }
    let folders = Set(files.keys.map { String($0.prefix { $0 != "/" }) })
    #expect(folders == ["Database", "Inspection", "Salvage"])
  }

  /// A target that names fewer is not compiled again when one of the others has changed: see Package.swift.
  @Test func whoeverUsesTheRuntimeDependsOnAllOfIt() throws {
    let manifest = try String(contentsOf: Repository.url("Package.swift"), encoding: .utf8)
    let list = try #require(manifest.firstMatch(of: /let runtimeModules = \[([^\]]*)\]/)).1
    let modules = Set(list.matches(of: /"(\w+)"/).map { String($0.1) })
    let runtime = ["ModelRuntime", "ModelSupport"]
    #expect(modules == runtime.reduce(into: Set(runtime)) { $0.formUnion(Self.allowed[$1] ?? []) })
    let targets = try #require(manifest.firstRange(of: "\n  targets: [")).upperBound
    for module in runtime {
      let named = manifest[targets...].matches(of: try Regex("\"\(module)\"")).count
      #expect(named == 1, "\(module): only its own target names it, all others say `runtime`")
    }
  }

  @Test(arguments: [("CLibYAML", "ModelSchema"), ("CLibPQ", "SyncPostgres")])
  func onlyOneFileKnowsALibraryInC(library: String, module: String) throws {
    let files = try importsByFile(in: Repository.url("Sources/\(module)"))
    #expect(files.filter { $0.value.contains(library) }.count == 1)
  }

  @Test func generatedCodeImportsTheRuntimeOnly() throws {
    for folder in ["Generated/Swift", "Tests/TypeMatrix/Generated/Swift"] {
      let files = try importsByFile(in: Repository.url(folder))
      #expect(!files.isEmpty)
      for (file, imports) in files { #expect(imports == ["ModelSupport"], "\(file)") }
    }
  }

  /// Tests compare the real server with this model. Shared code would put the same mistake into both.
  @Test func serverModelImportsNothingOfOurs() throws {
    let files = try importsByFile(in: Repository.url("Tests/SyncSimulation/ServerModel"))
    #expect(!files.isEmpty)
    for (file, imports) in files { #expect(imports.isSubset(of: ["Foundation", "Crypto"]), "\(file)") }
  }

  @Test(arguments: [
    ("import Foundation", ["Foundation"]), ("public import struct Crypto.SHA256", ["Crypto"]),
    ("@_exported public import WireFormat", ["WireFormat"]), ("// import Nothing", []), ("important()", []),
  ])
  func readsImportLines(line: String, expected: [String]) {
    #expect(imports(in: line) == Set(expected))
  }

  @Test func readsNamesOfCode() {
    #expect(names(in: "let a = b.c_1 // writer\n/// await\nd(e)") == ["let", "a", "b", "c_1", "d", "e"])
  }

  private func importsByFile(in folder: URL) throws -> [String: Set<String>] {
    try textsByFile(in: folder).mapValues(imports)
  }

  private func textsByFile(in folder: URL) throws -> [String: String] {
    var result: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
      result[path] = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }
    return result
  }

  /// All words of a text but those of comments.
  private func names(in text: String) -> Set<String> {
    Set(text.replacing(/\/\/.*/, with: "").matches(of: /\w+/).map { String($0.output) })
  }

  private func imports(in text: String) -> Set<String> {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "let", "var", "typealias"]
    var result: Set<String> = []
    for line in text.split(whereSeparator: \.isNewline) {
      var words = line.split(separator: " ")[...]
      while let word = words.first, word.hasPrefix("@") || ["public", "internal", "package"].contains(word) {
        words.removeFirst()
      }
      guard words.popFirst() == "import", var name = words.popFirst() else { continue }
      if kinds.contains(name), let next = words.popFirst() { name = next }
      result.insert(String(name.split(separator: ".")[0]))
    }
    return result
  }
}
