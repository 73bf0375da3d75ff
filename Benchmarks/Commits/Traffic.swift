// A day of a million users on PostgreSQL: how much of the machine each hour takes, and what ends first.

import Foundation
import SyncPostgres
import SyncProtocol
import SyncServer
import Synchronization
import WireFormat

/// Commits come when users make them, whether the server keeps up or not.
struct Traffic {
  static let users = 1_000_000
  /// Of 300,000 users who come on a day, 50 each.
  static let commitsADay = 15_000_000.0
  /// How busy the hours of a day are beside each other.
  static let hours = [
    0.35, 0.2, 0.12, 0.1, 0.12, 0.25, 0.5, 0.8, 1, 1.05, 1.1, 1.2, 1.35, 1.25, 1.15, 1.15, 1.25, 1.4, 1.6, 1.9, 2.2,
    2.2,
    1.75, 1,
  ]

  private let storage: PostgresStorage
  private let service: SyncService
  private let grants = Grants()
  private let seconds: Double

  /// Makes tables of its own in the database at an address. `seconds`: how long each row takes.
  init(_ address: String, seconds: Double) throws {
    self.seconds = seconds
    storage = try ServiceOnPostgres.open(address, "traffic")
    service = SyncService(storage: storage, history: storage.history)
  }

  /// Prints the quietest hour, the busiest one, and the busiest one of more users.
  func run() async throws {
    print("## traffic\n")
    print("Commits of one mutation, as \(Self.users) users make them in an hour of a day with")
    print("\(Int(Self.commitsADay)); each queue is as busy as its place says (Zipf). \(Int(seconds)) s a row;")
    print("processors that are busy, of \(ProcessInfo.processInfo.activeProcessorCount).\n")
    print("| hour | offered a second | done | p50, p99 | service | PostgreSQL |\n|---|---|---|---|---|---|")
    let mean = Self.hours.reduce(0, +) / 24
    let (quiet, busy) = (Self.hours.min() ?? 1, Self.hours.max() ?? 1)
    // The first row warms up: its queues are born in it.
    for (name, weight) in [
      ("(warming up)", busy), ("the quietest", quiet), ("the mean", mean), ("the busiest", busy),
      ("the busiest of 4 million users", 4 * busy), ("… 8 million", 8 * busy), ("… 12 million", 12 * busy),
      ("… 16 million", 16 * busy),
    ] {
      try await row(name, Self.commitsADay / 86_400 * weight / mean)
    }
  }

  private func row(_ name: String, _ rate: Double) async throws {
    let took = Times()
    let before = Used()
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<Int(rate * seconds) {
        let due = start + .seconds(Double(number) / rate)
        if due > .now + .milliseconds(2) { try await Task.sleep(until: due, clock: .continuous) }
        group.addTask {
          // Too many wait: the user comes again later.
          do { try await commit(as: Self.someone()) } catch let error as StorageError where error.code == .busy {
            return
          }
          took.add((ContinuousClock.now - due) / .milliseconds(1))
        }
      }
      try await group.waitForAll()
    }
    let whole = (ContinuousClock.now - start) / .seconds(1)
    let used = Used()
    let times = took.sorted
    guard !times.isEmpty else { return print("| \(name) | \(Int(rate)) | none | | | |") }
    func figure(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
    print(
      """
      | \(name) | \(Int(rate)) | \(Int(Double(times.count) / whole)) | \
      \(figure(times[times.count / 2], 1)), \(figure(times[times.count * 99 / 100], 1)) ms | \
      \(figure((used.service - before.service) / whole, 2)) | \(figure((used.postgres - before.postgres) / whole, 2)) |
      """)
  }

  /// A user, the lower numbers more often: the logarithm of the number is drawn.
  private static func someone() -> Int { Int(exp(Double.random(in: 0..<1) * log(Double(users)))) }

  private func commit(as client: Int) async throws {
    let answer = try await Caller.$user.withValue(Samples.user(client)) {
      try await service.commit(try Samples.request(client, under: grants[client]), by: Samples.asker(client))
    }
    switch answer.result {
    case .decided(let decided): grants[client] = decided.grant
    // Another call has borne the queue at the same time.
    case .refused(.stale(let grant)):
      grants[client] = grant
      try await commit(as: client)
    case .refused: throw Samples.Refused("an answer: \(answer)")
    }
  }
}

private final class Times: Sendable {
  private let milliseconds = Mutex<[Double]>([])

  func add(_ time: Double) { milliseconds.withLock { $0.append(time) } }
  var sorted: [Double] { milliseconds.withLock { $0.sorted() } }
}

/// Seconds of processors that have been used so far. Linux only.
private struct Used {
  var service = 0.0
  var postgres = 0.0

  init() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] where Int(name) != nil {
      guard let stat = Self.text("/proc/\(name)/stat"), let end = stat.lastIndex(of: ")") else { continue }
      let fields = stat[end...].split(separator: " ")
      guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { continue }
      if stat.contains("(postgres)") {
        postgres += (user + system) / 100
      } else if name == "\(getpid())" {
        service += (user + system) / 100
      }
    }
  }

  private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
