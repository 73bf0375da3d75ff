// How a device's store keeps files, and how its client transfers them.

import ClientStore
import ClientSync
import TestSupport

extension Device {
  /// Options of the store's files. The cache has room for a few files only.
  func fileOptions(_ process: SimulatedProcess) -> FileOptions {
    let sizes: [Int64] = [100, 300, 2_000]
    var options = FileOptions(cacheBytes: sizes[Int(world.seed(of: "cache \(name) \(lives)") % 3)])
    options.disk = DeviceDisk(device: self, process: process)
    return options
  }

  /// Limits of the client's transfers. Parts are small, so that a file of less than 100 bytes can have several.
  var fileLimits: FileLimits {
    var random = SeededRandom(seed: world.seed(of: "limits \(name) \(lives)"))
    var limits = FileLimits(
      maximumTransfers: 1 + random.below(4), bytesPerSecond: random.chance(20) ? 200 : nil,
      uploadsOnExpensiveNetworks: random.chance(50))
    let smallest = Int64(random.pick([8, 20, 60]))
    limits.partBytes = smallest...smallest * Int64(random.pick([1, 4, 20]))
    return limits
  }

  /// Perhaps makes one of the next calls to the disk of files fail, or that one and all later ones.
  func failFiles(isFull: Bool) {
    files.failures = 0
    guard world.random.chance(60) else { return }
    let call: SimulatedFileDisk.Call = isFull ? .write : world.random.pick([.any, .write, .sync, .read])
    files.failure = SimulatedFileDisk.Failure(
      call: call, number: 1 + world.random.below(4), isLasting: world.random.chance(30), isFull: isFull)
  }
}

/// The tasks in which the app adds and reads files during one life. `@unchecked Sendable`: one thread.
final class FileTasks: @unchecked Sendable {
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var count = 0

  private var lookers: [FileReading] = []

  /// The readings that still wait for their file.
  var readings: [FileReading] { lookers.filter { !$0.isDone } }

  func note(_ reading: FileReading) {
    lookers.removeAll(where: \.isDone)
    lookers.append(reading)
  }

  /// How many tasks are running.
  var running: Int { tasks.count }

  /// Starts a task that is cancelled at the end of the life. Returns the task; nobody has to wait for it.
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
