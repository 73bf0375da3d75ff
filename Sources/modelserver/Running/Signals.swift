// What the operator tells the server by signals, from its start to its end.

import Commands
import Determinism
import UnixSignals

/// Outlives the runs of a server that begins again.
actor Signals {
  /// What signals do to the run that is under way.
  struct Run: Sendable {
    var readAgain: @Sendable () async -> Void
    var stop: @Sendable () async -> Void
  }

  private var run: Run?
  /// Whether the server was told to stop. A second time ends the process at once.
  private(set) var isStopping = false

  /// From now on, signals do not end the process by themselves.
  init() async {
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
    RuntimeEnvironment.current.spawn { for await signal in signals { await self.receive(signal) } }
  }

  private func receive(_ signal: UnixSignal) async {
    if signal == .sighup {
      await run?.readAgain()
      return
    }
    if isStopping { Terminal.exit(ExitStatus.interrupted) }
    isStopping = true
    await run?.stop()
  }

  /// Directs signals to a run. Returns whether it may begin.
  func begin(_ run: Run) -> Bool {
    self.run = run
    return !isStopping
  }

  func end() { run = nil }
}
