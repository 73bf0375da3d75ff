// A program that does nothing but mark tallies and sync them, and says what is safe: to be killed in the middle of it.
//
// SyncVictim FOLDER URL TOKEN-FILE USER OTHER-USER begin    makes the tallies and takes the other user in
// SyncVictim FOLDER URL TOKEN-FILE USER OTHER-USER FIRST    marks for ever, with the numbers from FIRST on
// SyncVictim FOLDER URL TOKEN-FILE USER OTHER-USER end      marks nothing, and says what there is once all is confirmed

import Foundation
import ModelRuntime

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

  private static func user(_ name: String) -> UserID { UserID(SyncID.user(subject: name, issuer: nil)) }

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
    store.create(Board(zeroWithID: ObjectID(QueueID.board.rawValue)))
    for number in Tally.all { store.create(Tally(number)) }
    store.perform(Invite(user: other))
    try await store.saved()
    try await client.syncOnce()
    say("begun")
  }

  /// As many at once as the numbers say: alone, in bursts, on one object and on two.
  private func mark(from first: Int64) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await client.run() }
      group.addTask {
        // The server is killed, too: nobody wants to wait until it is tried again.
        while true {
          try await Task.sleep(for: .milliseconds(50))
          await client.retryNow()
        }
      }
      group.addTask { try await markAll(from: first) }
      group.addTask {
        while true {
          try await Task.sleep(for: .milliseconds(3))
          for number in await open.decided(store.outbox) { say("acknowledged \(number)") }
        }
      }
      // None ends but by an error.
      try await group.next()
    }
  }

  private func markAll(from first: Int64) async throws {
    for try await tally in store.values(of: Tally.id(1)) where tally != nil { break }
    var number = first
    while true {
      let burst = 1 + number % 7
      let handles = (number..<number + burst).map { ($0, store.perform(Mark($0))) }
      await open.add(handles.map { ($0.1.id, $0.0) })
      for (number, handle) in handles {
        try await handle.saved()
        say("saved \(number)")
      }
      // Not always: what waits for the server piles up.
      if number % 3 == 0, let (number, handle) = handles.last {
        try await handle.confirmed()
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
    for item in store.attention { say("attention \(item.name) \(item.reason)") }
    say("ended")
  }

  /// In one call of the system: two tasks speak.
  private func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}

/// The numbers of operations of which the server has said nothing yet.
private actor OpenMarks {
  private var numbers: [UUIDValue: Int64] = [:]

  func add(_ marks: [(id: UUIDValue, number: Int64)]) {
    for mark in marks { numbers[mark.id] = mark.number }
  }

  /// Those that the server has applied, as it says; each once.
  func decided(_ outbox: [OutboxItem]) -> [Int64] {
    outbox.compactMap { $0.outcome?.status == .applied ? numbers.removeValue(forKey: $0.id) : nil }
  }
}
