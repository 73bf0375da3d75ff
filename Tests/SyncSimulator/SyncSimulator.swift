// The command that runs the simulation of sync: many seeds, or one again and in words.

import ArgumentParser
import Foundation
import SyncSimulation

@main
struct SyncSimulator: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "SyncSimulator",
    abstract: "Devices, a server and a network that fails: many seeds, each a world, held against what sync promises.")

  @Option(help: "How many seeds to run.")
  var seeds: UInt64 = 100
  @Option(help: "The first of them; unless told, one that no run has used.")
  var first: UInt64?
  @Option(help: "How many things happen in a world; unless told, 130, and in one of twenty 500.")
  var steps: Int?
  @Option(help: "Run seeds until so many minutes are over, and not a number of them.")
  var minutes: Double?
  @Option(help: "Only this seed.")
  var seed: UInt64?
  @Flag(help: "Print every event of the seed.")
  var trace = false
  @Option(help: "Faults that never happen, joined by commas.")
  var without = ""
  @Option(help: "Only these steps of the seed, as 1,4-6.")
  var only: String?
  @Option(help: "So many devices at most.")
  var devices: Int?
  @Option(help: "Stop after so many seeds that fail.")
  var failures = 20
  @Flag(help: "Leave a failing seed as it is.")
  var noShrink = false

  func run() async throws {
    let absent = try faults()
    if let seed { return try runOne(seed, absent) }
    // The range is so large that no two runs draw the same seeds.
    let first = first ?? .random(in: 1 << 32..<1 << 52)
    let begin = Date()
    let end = minutes.map { begin.addingTimeInterval($0 * 60) }
    if let minutes { say("seeds from \(first) on, for \(minutes) minutes") } else { sayAgain(first, seeds) }
    let count = end == nil ? min(seeds, .max - first) : .max - first
    let runs = await SeedRuns.run(
      first..<first + count, steps: steps, without: absent, failures: failures,
      onFailure: { say("seed \($0.seed): \($0.violation)") }, isOver: { end.map { Date() > $0 } ?? false })
    say(runs.report(seconds: Date().timeIntervalSince(begin)))
    if runs.seedCount != seeds || end != nil { sayAgain(first, UInt64(runs.seedCount)) }
    if let first = runs.failures.first {
      explain(first.seed, absent)
      throw ExitCode.failure
    }
    // Few seeds cannot show everything.
    guard absent.isEmpty, runs.seedCount >= 1_000 else { return }
    if !runs.missing.isEmpty {
      say("error: never happened, and so was not tested: \(runs.missing.joined(separator: ", "))")
      throw ExitCode.failure
    }
    let edits = runs.counts["edits"]
    guard steps ?? 130 >= 130, edits < runs.fewestEdits else { return }
    say("error: \(edits) edits are too few to show anything: \(runs.fewestEdits) are demanded of so many steps")
    throw ExitCode.failure
  }

  /// Prints at once, so that a run that is ended from outside has said which seeds it took.
  private func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// The optimiser lets tasks run in another order, so that the same seed is another world.
  #if DEBUG
    private static let soak = "Scripts/soak --debug"
  #else
    private static let soak = "Scripts/soak"
  #endif

  private func sayAgain(_ first: UInt64, _ count: UInt64) {
    let steps = steps.map { " --steps \($0)" } ?? ""
    let without = without.isEmpty ? "" : " --without \(without)"
    say("again: \(Self.soak) --first \(first) --seeds \(count)\(steps)\(without)")
  }

  private func faults() throws -> Set<Fault> {
    Set(
      try without.split(separator: ",").map { name in
        guard let fault = Fault(rawValue: String(name)) else {
          let names = Fault.allCases.map(\.rawValue).joined(separator: ", ")
          throw ValidationError("there is no fault '\(name)'; there are \(names)")
        }
        return fault
      })
  }

  private func runOne(_ seed: UInt64, _ absent: Set<Fault>) throws {
    var plan = Plan(seed: seed, steps: steps, without: absent)
    if let only { plan = plan.keeping(try numbers(only)) }
    if let devices { plan.deviceCount = min(devices, plan.deviceCount) }
    let run = Simulation(plan, isTraced: trace)
    for line in run.trace { print(line) }
    guard let violation = run.violation else { return print("seed \(seed) keeps every promise, sum \(run.sum)") }
    print("seed \(seed): \(violation)")
    if !trace && !noShrink { explain(seed, absent) }
    throw ExitCode.failure
  }

  /// Makes the failing run small and says how to see it.
  private func explain(_ seed: UInt64, _ absent: Set<Fault>) {
    guard !noShrink else { return }
    say("makes seed \(seed) small, which takes up to 400 runs of it; --no-shrink leaves it as it is")
    let whole = Plan(seed: seed, steps: steps, without: absent)
    let small = Simulation(whole).shrunk()
    guard small.violation != nil else { return }
    let shown = Simulation(small.plan, isTraced: true)
    print("seed \(seed) made small: \(small.plan.steps.count) steps, \(small.plan.deviceCount) devices")
    for line in shown.trace.suffix(60) { print("  \(line)") }
    print(shown.violation.map { "\($0)" } ?? "(it fails only where it is not watched)")
    print("again: \(Self.soak) \(small.plan.arguments(whole: whole, absent: absent)) --trace")
  }

  private func numbers(_ text: String) throws -> Set<Int> {
    var numbers: Set<Int> = []
    for word in text.split(separator: ",") {
      let ends = word.split(separator: "-").map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else {
        throw ValidationError("'\(word)' is no step and no range of steps")
      }
      numbers.formUnion(first...last)
    }
    return numbers
  }
}
