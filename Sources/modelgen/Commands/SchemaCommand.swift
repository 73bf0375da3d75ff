// The shared part of the commands on a schema folder: they collect findings, which are printed once at the end.
import ArgumentParser

protocol SchemaCommand: ParsableCommand {
  var schema: SchemaOptions { get }

  /// Does the work. What it throws is added to the report too.
  func run(_ report: inout Report) throws(FileProblems)
}

extension SchemaCommand {
  func run() throws { try runOnce() }

  func runOnce() throws {
    let report = report()
    report.show(schema.format, quiet: schema.quiet)
    guard report.status == .clean else { throw report.status }
  }

  /// Does the work, and returns what there is to say.
  func report() -> Report {
    var report = Report()
    do throws(FileProblems) {
      try run(&report)
    } catch {
      report.add(error)
    }
    return report
  }
}
