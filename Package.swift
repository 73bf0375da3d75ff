// swift-tools-version: 6.2
import PackageDescription

// The module table of ARCHITECTURE.md, as a manifest. Two halves that never import each other: the toolchain
// (ModelSchema, ModelEmitters, modelgen) and the runtime. A test holds every `import` line against that table.

let strict: [SwiftSetting] = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
  .map { .enableUpcomingFeature($0) }

func library(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
  .target(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

// The runtime with the modules that it re-exports. Whatever uses the runtime depends on all of them by name: SwiftPM
// compiles a target again only if a dependency that it names has changed, and a module that re-exports others does not
// change with them. An app would go on with the old layout of a type (swiftlang/swift-package-manager#10483).
let runtimeModules = [
  "ModelRuntime", "ModelSupport", "WireFormat", "Snapshots", "Determinism", "SyncProtocol", "ModelTypes", "ClientStore",
  "ClientSync",
]
let runtime = runtimeModules.map { Target.Dependency.byName(name: $0) }

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
// The SQLite under GRDB, where rows are many.
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
// HTTP, tokens, logs and signals of the server; no product reaches them.
let http: [Target.Dependency] = [
  .product(name: "Hummingbird", package: "hummingbird"), .product(name: "HummingbirdCore", package: "hummingbird"),
  .product(name: "HTTPTypes", package: "swift-http-types"),
  .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
  .product(name: "NIOHTTPTypes", package: "swift-nio-extras"), .product(name: "Logging", package: "swift-log"),
  .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
  .product(name: "UnixSignals", package: "swift-service-lifecycle"),
]
// Queues in front of threads.
let collections: [Target.Dependency] = [
  .product(name: "DequeModule", package: "swift-collections"),
  .product(name: "HeapModule", package: "swift-collections"),
]
let tokens = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
// Fetches the keys of sign-in services, and speaks to the storage of files.
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")

let package = Package(
  name: "modelgen",
  platforms: [.macOS(.v15), .iOS(.v18)],
  // What is declared here is what a consumer resolves: nothing that reaches a server framework.
  products: [
    .executable(name: "modelgen", targets: ["modelgen"]),
    .executable(name: "modelinspect", targets: ["modelinspect"]),
    .library(name: "ModelRuntime", targets: runtimeModules),
    .library(name: "ModelTesting", targets: ["ModelTesting", "SyncServer"] + runtimeModules),
    // With the runtime: a target needs one of the two.
    .library(name: "ModelRuntimeUI", targets: ["ModelRuntimeUI"] + runtimeModules),
    .plugin(name: "ModelgenBuild", targets: ["ModelgenBuild"]),
    .plugin(name: "ModelgenCommand", targets: ["ModelgenCommand"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    // Of the server only.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // The toolchain.
    .systemLibrary(
      name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    library("ModelSchema", ["CLibYAML"]),
    library("ModelEmitters", ["ModelSchema"]),
    library("Commands", [arguments]),
    .executableTarget(
      name: "modelgen", dependencies: ["ModelSchema", "ModelEmitters", "Commands", arguments],
      swiftSettings: strict),
    .plugin(name: "ModelgenBuild", capability: .buildTool(), dependencies: ["modelgen"]),
    .plugin(
      name: "ModelgenCommand",
      capability: .command(
        intent: .custom(verb: "modelgen", description: "Generate Swift models from schema files, and check them."),
        permissions: [.writeToPackageDirectory(reason: "writes the generated models")]),
      dependencies: ["modelgen"]),

    // The runtime.
    library("WireFormat"),
    library("Snapshots"),
    library("Determinism"),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    library("JSON"),
    library("SyncProtocol", ["JSON", "WireFormat", "CZlib", crypto]),
    library("ModelTypes", ["WireFormat", "Determinism", "SyncProtocol", "Snapshots", crypto]),
    .target(name: "CStoreSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    library(
      "ClientStore",
      ["WireFormat", "Determinism", "ModelTypes", "SyncProtocol", "Snapshots", "CStoreSQLite", grdb, sqlite]),
    library("ClientSync", ["JSON", "WireFormat", "Determinism", "ModelTypes", "SyncProtocol", "ClientStore"]),
    library("ModelRuntime", ["WireFormat", "ModelTypes", "SyncProtocol", "Snapshots", "ClientStore", "ClientSync"]),
    library(
      "ModelSupport",
      ["WireFormat", "Determinism", "ModelTypes", "SyncProtocol", "Snapshots", "ClientStore", "ClientSync"]),
    library("ModelRuntimeUI", runtime),
    .executableTarget(
      name: "modelinspect", dependencies: ["Commands", arguments] + runtime, swiftSettings: strict),

    // The server.
    library("GraphQL", ["JSON"]),
    library(
      "SyncServer", ["GraphQL", "SyncProtocol", "JSON", "WireFormat", "Determinism", crypto, grdb] + collections),
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // Apart from the server, so that the tests of apps need no libpq.
    library("SyncPostgres", ["SyncServer", "SyncProtocol", "WireFormat", "Determinism", "CLibPQ"] + collections),
    library(
      "SyncS3",
      ["SyncServer", "SyncProtocol", "WireFormat", "Determinism", crypto]
        + [
          httpClient, .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        ]),
    // For the tests of apps: the server in their own process.
    library("ModelTesting", ["SyncServer", "GraphQL"] + runtime),
    .executableTarget(
      name: "modelserver",
      dependencies: [
        "SyncServer", "SyncPostgres", "SyncS3", "GraphQL", "SyncProtocol", "JSON", "WireFormat", "Determinism",
        "Commands",
        arguments, tokens, httpClient,
      ] + http,
      swiftSettings: strict),
    // What the server is measured by, here because no product reaches the server: see Benchmarks/Scripts/commits.
    .target(name: "RawCommits", path: "Benchmarks/RawCommits", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "CommitBench",
      dependencies: ["RawCommits", "SyncServer", "SyncPostgres", "GraphQL", "SyncProtocol", "WireFormat"],
      path: "Benchmarks/Commits", exclude: ["commit.pgbench"], swiftSettings: strict),
    .target(name: "CRawStore", path: "Benchmarks/Sources/CRawStore", linkerSettings: [.linkedLibrary("sqlite3")]),
    // What the store is measured by, here because it takes pages by calls that no product shows.
    .target(name: "CAllocations", path: "Benchmarks/Sources/CAllocations"),
    .executableTarget(
      name: "StoreBench", dependencies: ["CAllocations", "CRawStore", "MomentsModels", grdb] + runtime,
      path: "Benchmarks/Sources/bench", exclude: ["Benchmark+All.swift", "Codec", "Memory", "Schema", "Snapshots"]),
    .executableTarget(
      name: "InitialSyncBench",
      dependencies: [
        "CRawStore", "ClientSync", "ClientStore", "ModelTypes", "SyncServer", "GraphQL", "SyncProtocol", "WireFormat",
      ],
      path: "Benchmarks/InitialSync", swiftSettings: strict),

    // Committed output of the generator, compiled: the golden is the code that runs.
    library("MomentsModels", runtime, path: "Generated/Swift"),
    library("TypeMatrix", runtime, path: "Tests/TypeMatrix/Generated/Swift"),
    // What Scripts/fuzz runs, here for the replay of its corpus.
    library(
      "FuzzTargets", ["WireFormat", "JSON", "SyncProtocol", "GraphQL", "SyncServer", "ModelSchema"],
      path: "Fuzz/Targets"),

    .target(name: "CSpawn", path: "Tests/CSpawn"),
    library("TestSupport", ["CSpawn", "Snapshots"], path: "Tests/TestSupport"),
    // Ids of queues, and of objects that are bound to one.
    library("SampleIDs", ["SyncProtocol", "WireFormat"], path: "Tests/SampleIDs"),
    tests("ArchitectureTests", ["TestSupport"]),
    tests("ModelSchemaTests", ["ModelSchema", "EvolutionFixtures", "TestSupport"], exclude: ["Fixtures", "judge.py"]),
    tests(
      "ModelEmittersTests", ["ModelSchema", "ModelEmitters", "EvolutionFixtures", "TestSupport"] + runtime,
      exclude: ["Conversions"]),
    tests("ModelgenTests", ["modelgen", "ModelEmitters", "ModelSchema", "TestSupport"], exclude: ["Sessions"]),
    tests("SnapshotsTests", ["Snapshots", "TestSupport"]),
    tests("WireFormatTests", ["WireFormat", "TestSupport"], exclude: ["merge.py"]),
    tests("JSONTests", ["JSON", "TestSupport"]),
    tests("ModelTypesTests", ["ModelTypes", "Determinism", "SyncProtocol", "WireFormat", "SampleIDs", "TestSupport"]),
    tests(
      "SyncProtocolTests", ["SyncProtocol", "JSON", "ModelTypes", "WireFormat", "SampleIDs", "TestSupport"],
      exclude: ["validate.py"]),
    tests(
      "SyncServerTests",
      [
        "SyncServer", "SyncPostgres", "GraphQL", "SyncProtocol", "JSON", "WireFormat", "Determinism", "SampleIDs",
        "TestSupport", "StoreTestSupport", crypto, grdb,
      ],
      exclude: ["reference.py"]),
    tests(
      "ModelserverTests",
      ["modelserver", "CommitBench", "MomentsModels", "JSON", "SampleIDs", "TestSupport", crypto] + runtime,
      exclude: ["Tokens/make-tokens.py", "Tokens/tokens.json"]),
    tests(
      "SyncS3Tests",
      [
        "SyncS3", "SyncServer", "SyncProtocol", "WireFormat", "Determinism", "SampleIDs", "TestSupport",
        "StoreTestSupport",
      ],
      exclude: ["service.py"]),
    tests("FuzzTests", ["FuzzTargets"]),
    // A disk for SQLite that loses power, fails and is damaged where a test says.
    .target(name: "CFaultVFS", path: "Tests/CFaultVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    library(
      "StoreTestSupport",
      ["CFaultVFS", "Determinism", "ClientStore", "ModelTypes", "SyncProtocol", "WireFormat"],
      path: "Tests/StoreTestSupport"),
    // A program that is killed while it uses a store.
    .executableTarget(
      name: "StoreVictim", dependencies: ["SampleIDs", "TestSupport", "StoreTestSupport"] + runtime,
      path: "Tests/StoreVictim", swiftSettings: strict),
    tests(
      "ClientStoreTests",
      ["MomentsModels", "TypeMatrix", "StoreVictim", "SampleIDs", "TestSupport", "StoreTestSupport", grdb] + runtime),
    // Devices, a server and a network in one process, all decided by a seed.
    library(
      "SyncSimulation",
      [
        "WireFormat", "Determinism", "ModelTypes", "SyncProtocol", "ClientStore", "ClientSync", "SyncServer",
        "GraphQL", "JSON", "SampleIDs", "Snapshots", "TestSupport", "StoreTestSupport", sqlite, crypto,
      ], path: "Tests/SyncSimulation"),
    .executableTarget(
      name: "SyncSimulator", dependencies: ["SyncSimulation", arguments], path: "Tests/SyncSimulator",
      swiftSettings: strict),
    tests("SyncSimulationTests", ["SyncSimulation", "ClientSync", "SyncProtocol", "WireFormat", "TestSupport"]),
    // A program that is killed while it syncs.
    .executableTarget(
      name: "SyncVictim", dependencies: ["SampleIDs"] + runtime, path: "Tests/SyncVictim", swiftSettings: strict),
    // A program that is killed while it brings a file.
    .executableTarget(
      name: "FileVictim", dependencies: ["MomentsModels"] + runtime, path: "Tests/FileVictim",
      swiftSettings: strict),
    tests(
      "ClientSyncTests",
      [
        "SyncVictim", "FileVictim", "modelserver", "SyncServer", "SyncPostgres", "GraphQL", "JSON", "SampleIDs",
        "TypeMatrix", "TestSupport", "StoreTestSupport",
      ] + runtime),
    tests(
      "ModelinspectTests",
      ["modelinspect", "MomentsModels", "TypeMatrix", "SampleIDs", "TestSupport", "StoreTestSupport", grdb] + runtime,
      exclude: ["Sessions"]),
    tests("ModelTestingTests", ["ModelTesting", "MomentsModels", "TestSupport"] + runtime),
    // Releases of schemas, each with one change: what the table of changes says is held against their generated code.
    .target(
      name: "EvolutionFixtures", dependencies: ["ModelSchema"], path: "Tests/EvolutionFixtures",
      exclude: ["Changes", "Conversions"], swiftSettings: strict),
    .executableTarget(
      name: "EvolutionGenerator", dependencies: ["EvolutionFixtures", "ModelSchema", "ModelEmitters"],
      path: "Tests/EvolutionGenerator", swiftSettings: strict),
    .plugin(name: "EvolutionVersions", capability: .buildTool(), dependencies: ["EvolutionGenerator"]),
    .testTarget(
      name: "EvolutionTests", dependencies: ["ModelTesting", "TestSupport"] + runtime, swiftSettings: strict,
      plugins: ["EvolutionVersions"]),
    tests("GeneratedTests", ["MomentsModels"] + runtime),
    tests(
      "ModelRuntimeUITests",
      ["ModelRuntimeUI", "MomentsModels", "StoreTestSupport", "TestSupport"] + runtime),
    // Reading without a store, from generated code to the server and back.
    tests(
      "DeltaQueryTests",
      ["MomentsModels", "TypeMatrix", "SyncServer", "GraphQL", "SampleIDs", "TestSupport"] + runtime),
    tests("ConformanceTests", ["TypeMatrix", "MomentsModels", "TestSupport"] + runtime, exclude: ["decode.py"]),
  ],
  swiftLanguageModes: [.v6]
)
