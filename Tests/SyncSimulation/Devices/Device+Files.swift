// How the store of a device keeps files, and how its client moves them.

import ClientStore
import ClientSync
import TestSupport

extension Device {
  /// Caches have room for a few files only.
  func fileOptions(_ process: SimulatedProcess) -> FileOptions {
    let sizes: [Int64] = [100, 300, 2_000]
    var options = FileOptions(cacheBytes: sizes[Int(world.seed(of: "cache \(name) \(lives)") % 3)])
    options.disk = DeviceDisk(device: self, process: process)
    return options
  }

  /// Parts are small, so that a file of less than 100 bytes has several of them.
  var fileLimits: FileLimits {
    var random = SeededRandom(seed: world.seed(of: "limits \(name) \(lives)"))
    var limits = FileLimits(
      maximumTransfers: 1 + random.below(4), bytesPerSecond: random.chance(20) ? 200 : nil,
      uploadsOnExpensiveNetworks: random.chance(50))
    let smallest = Int64(random.pick([8, 20, 60]))
    limits.partBytes = smallest...smallest * Int64(random.pick([1, 4, 20]))
    return limits
  }

  /// One of the next calls to the disk of files fails, and perhaps all that follow.
  func failFiles(isFull: Bool) {
    files.failures = 0
    guard world.random.chance(60) else { return }
    let call: SimulatedFileDisk.Call = isFull ? .write : world.random.pick([.any, .write, .sync, .read])
    files.failure = SimulatedFileDisk.Failure(
      call: call, number: 1 + world.random.below(4), isLasting: world.random.chance(30), isFull: isFull)
  }
}

/// What the app does with files in one life. `@unchecked Sendable`: one thread.
final class FileTasks: @unchecked Sendable {
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var count = 0

  private var lookers: [FileReading] = []

  /// Those that wait for a file.
  var readings: [FileReading] { lookers.filter { !$0.isDone } }

  func note(_ reading: FileReading) {
    lookers.removeAll(where: \.isDone)
    lookers.append(reading)
  }

  /// How many are at it.
  var running: Int { tasks.count }

  /// Returns the task, which nobody has to wait for.
  @discardableResult
  func begin(_ process: SimulatedProcess, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    count += 1
    let number = count
    let task = Task(executorPreference: process.executor) {
      await body()
      self.tasks[number] = nil
    }
    tasks[number] = task
    return task
  }

  func end() {
    for number in tasks.keys.sorted() { tasks[number]?.cancel() }
    lookers = []
  }
}
