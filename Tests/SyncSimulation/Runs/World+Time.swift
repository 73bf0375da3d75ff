// How time passes: messages arrive, timers ring, and tasks run in an order drawn from the seed.

import StoreTestSupport
import TestSupport

extension World {
  /// Lets so much time pass, with everything that happens in it. Stops early after `limit` jobs and leaves the others
  /// waiting.
  func pass(_ milliseconds: Int64, jobs limit: Int = .max) throws {
    let end = time.now + milliseconds
    var jobs = limit
    repeat {
      runJobs(&jobs)
      if jobs == 0 { return }
      try noticeCrashes()
      oracles.checkTouchedDevices()
      if let violation = oracles.violation { throw violation }
    } while time.callNext(until: end)
    time.pass(until: end)
  }

  private func runJobs(_ jobs: inout Int) {
    var executors = runnable()
    var patience = 200_000
    while jobs > 0, !executors.isEmpty {
      // Runs a few jobs of one executor, then a few of another.
      let (device, executor) = executors.count == 1 ? executors[0] : random.pick(executors)
      for _ in 0...random.below(6) where jobs > 0 && executor.runOne() {
        jobs -= 1
        patience -= 1
      }
      if patience <= 0 { return oracles.report("no end of work at one moment") }
      device?.isTouched = true
      if executor.isIdle || executors.count == 1 { executors = runnable() }
    }
  }

  private func runnable() -> [(Device?, SeededExecutor)] {
    var result: [(Device?, SeededExecutor)] = []
    if let executor = server.executor, !executor.isIdle { result.append((nil, executor)) }
    for device in devices {
      if let executor = device.life?.process.executor, !executor.isIdle { result.append((device, executor)) }
    }
    return result
  }

  /// Stops each process whose disk has lost its power in the middle of a call. It is started again some time later.
  func noticeCrashes() throws {
    if server.isRunning, server.disk.isOff {
      trace("the server's power is gone")
      count("server crash in a transaction")
      stopServer()
    }
    for device in devices where device.isRunning && device.disk.isOff {
      count("crash in a transaction")
      stop(device, .powerCut)
    }
  }

  func stopServer() {
    server.stop()
    time.after(isQuiet ? 1 : Int64(random.below(8_000))) { [unowned self] in startServer() }
  }

  private func startServer() {
    guard !server.isRunning else { return }
    trace("the server starts")
    do { try server.start() } catch { oracles.report("the server cannot start: \(error)") }
  }

  func stop(_ device: Device, _ end: Device.End) {
    trace("\(device.name) ends: \(end)")
    device.stop(end)
    startLater(device)
  }

  func startLater(_ device: Device) {
    time.after(isQuiet || random.chance(50) ? 0 : Int64(random.below(20_000))) { [unowned self] in
      start(device)
    }
  }

  func start(_ device: Device) {
    guard !device.isRunning else { return }
    trace("\(device.name) starts")
    do { try device.start() } catch { oracles.report("\(device.name) cannot start: \(error)") }
  }
}
