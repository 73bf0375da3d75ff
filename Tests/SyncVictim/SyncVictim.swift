// A program that marks tallies, syncs them, and prints which marks are safe. A test kills it in the middle.
//
// SyncVictim FOLDER URL TOKEN-FILE USER OTHER-USER begin    creates the tallies, and makes the other user a member
// SyncVictim FOLDER URL TOKEN-FILE USER OTHER-USER FIRST    marks for ever, with the numbers from FIRST on
// SyncVictim FOLDER URL TOKEN-FILE USER OTHER-USER end      marks nothing, syncs, and prints the tallies

import Foundation
import ModelSupport

@main
struct SyncVictim {
  private let store: ModelStore
  private let client: SyncClient
  private let open = OpenMarks()

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 7, let url = URL(string: arguments[2]) else {
      FileHandle.standardError.write(
        Data("usage: SyncVictim FOLDER URL TOKEN-FILE USER OTHER-USER begin|FIRST|end\n".utf8))
      exit(2)
    }
    let victim = try SyncVictim(folder: arguments[1], url: url, tokenFile: arguments[3], user: arguments[4])
    try await victim.live(arguments[6], other: user(arguments[5]))
  }

  private static func user(_ name: String) -> UserID { UserID(subject: name, issuer: nil) }

  private init(folder: String, url: URL, tokenFile: String, user: String) throws {
    store = try ModelStore(at: folder, schema: TallySchema.self, user: Self.user(user))
    client = SyncClient(
      store: store,
      transport: HTTPTransport(url: url) { _ in
        try String(contentsOfFile: tokenFile, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
      })
  }

  private func live(_ task: String, other: UserID) async throws {
    switch task {
    case "begin": try await begin(other)
    case "end": try await end()
    default: try await mark(from: Int64(task) ?? 0)
    }
  }

  private func begin(_ other: UserID) async throws {
    store.create(Board(zeroWithID: ObjectID(QueueID.board.root)))
    for number in Tally.all { store.create(Tally(number)) }
    store.perform(Invite(user: other))
    try await store.waitUntilSaved()
    try await client.syncOnce()
    say("begun")
  }

  /// Syncs and marks until the process is killed: in bursts of one to seven marks, each on one object or on two.
  private func mark(from first: Int64) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await client.run() }
      group.addTask {
        // The test kills the server too. Retrying at once saves the client's pauses.
        while true {
          try await Task.sleep(for: .milliseconds(50))
          await client.retry()
        }
      }
      group.addTask { try await markAll(from: first) }
      group.addTask {
        while true {
          try await Task.sleep(for: .milliseconds(3))
          for number in await open.decided(store.pendingOperations) { say("acknowledged \(number)") }
        }
      }
      // Each task ends only by an error.
      try await group.next()
    }
  }

  private func markAll(from first: Int64) async throws {
    for try await tally in store.updates(of: Tally.id(1)) where tally != nil { break }
    var number = first
    while true {
      let burst = 1 + number % 7
      let handles = (number..<number + burst).map { ($0, store.perform(Mark($0))) }
      await open.add(handles.map { ($0.1.id, $0.0) })
      for (number, handle) in handles {
        try await handle.waitUntilSaved()
        say("saved \(number)")
      }
      // Waits for the server only sometimes, so that operations pile up.
      if number % 3 == 0, let (number, handle) = handles.last {
        try await handle.waitUntilConfirmed()
        say("confirmed \(number)")
      }
      number += burst
    }
  }

  private func end() async throws {
    try await client.syncOnce()
    for number in Tally.all {
      guard let tally = try store.object(Tally.id(number)) else { continue }
      say("tally \(number) \(tally.count) \(tally.marks.map { "\($0)" }.joined(separator: ","))")
    }
    for item in store.failedOperations { say("failed \(item.name) \(item.reason)") }
    say("ended")
  }

  /// Writes a line in one call of the system, because two tasks write.
  private func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}

/// The numbers of operations that the server has not acknowledged yet.
private actor OpenMarks {
  private var numbers: [OperationID: Int64] = [:]

  func add(_ marks: [(id: OperationID, number: Int64)]) {
    for mark in marks { numbers[mark.id] = mark.number }
  }

  /// The numbers of operations that the server has applied. Returns each only once.
  func decided(_ outbox: [PendingOperation]) -> [Int64] {
    outbox.compactMap { $0.outcome?.status == .applied ? numbers.removeValue(forKey: $0.id) : nil }
  }
}
