// Checks that the runtime takes time, randomness and tasks from its `RuntimeEnvironment` only, so that tests decide
// them.
import Foundation
import TestSupport
import Testing

@Suite struct DeterminismTests {
  static let forbidden = [
    "Date()", "Date.now", "UUID()", ".random(in:", "SystemRandomNumberGenerator", "clock_gettime", "ContinuousClock",
    "Task {", "Task.detached", "Task.sleep", "Dispatch", "URLSession",
  ]
  /// The only files that may use the machine's clock, randomness, tasks and network directly.
  static let adapters = [
    "Determinism/RuntimeEnvironment+Live.swift", "ClientSync/HTTP/HTTPTransport.swift",
    "ClientSync/HTTP/HTTPExchanges.swift", "ClientSync/HTTP/TokenStore.swift",
    "SyncServer/Threads/Stopwatch.swift", "ClientStore/Live/MainQueue.swift",
  ]

  @Test func runtimeUsesNoClockRandomnessOrTasksDirectly() throws {
    var checked = 0
    let modules = [
      "WireFormat", "Determinism", "ModelTypes", "SyncProtocol", "ClientStore", "ClientSync", "ModelRuntime",
      "ModelRuntimeUI", "SyncServer", "SyncPostgres", "SyncS3", "Snapshots",
    ]
    for module in modules {
      let folder = Repository.url("Sources/\(module)")
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
        let name = "\(module)/\(path)"
        if Self.adapters.contains(name) { continue }
        checked += 1
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        for line in text.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("//") {
          // A child of a task group is structured, so it is allowed.
          let line = line.replacing("addTask {", with: "")
          for word in Self.forbidden where line.contains(word) && !line.contains("using: &self") {
            Issue.record("\(name) uses \(word): \(line)")
          }
        }
      }
    }
    #expect(checked > 10)
  }
}
