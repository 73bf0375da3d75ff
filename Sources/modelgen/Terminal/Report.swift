// Collects the findings of a run, so that they are printed as one whole: one JSON array, one count of errors.
import Commands
import ModelSchema

struct Report {
  /// The files whose lines are shown under diagnostics.
  var sources: [SourceFile] = []
  private var diagnostics: [Diagnostic] = []
  /// The text for standard output when all went well.
  var closing = ""
  /// A text for standard output, however it went.
  var results = ""
  /// What was mended, told before the findings that are left.
  var fixed: [Diagnostic] = []
  private(set) var status = ExitStatus.clean

  /// Whether there is no finding, not even a warning.
  /// Whether there is nothing but notices.
  var isCalm: Bool { diagnostics.allSatisfy { $0.severity == .notice } }

  mutating func add(_ diagnostics: [Diagnostic]) {
    self.diagnostics += diagnostics
    if status == .clean, diagnostics.contains(where: { $0.severity == .error }) { status = .mistakes }
  }

  mutating func add(_ failure: FileProblems) {
    diagnostics += failure.problems.map(\.diagnostic)
    status = .inputOutput
  }

  /// Prints the findings: texts for people to standard error, JSON as the only text on standard output.
  func show(_ format: DiagnosticFormat, quiet: Bool) {
    let renderer = DiagnosticRenderer(sources: sources, colour: format == .text && Terminal.showsColour)
    switch format {
    case .text:
      Terminal.print(results)
      if !quiet { Terminal.print(renderer.fixed(fixed)) }
      Terminal.error(renderer.text(diagnostics))
    case .json: Terminal.print(renderer.json(fixed.map(Self.notice) + diagnostics))
    case .github:
      Terminal.print(results)
      Terminal.error(renderer.github(fixed.map(Self.notice) + diagnostics))
    }
    if !quiet && status == .clean && format != .json { Terminal.print(closing) }
  }

  /// What was mended, for programs.
  private static func notice(_ fixed: Diagnostic) -> Diagnostic {
    Diagnostic(
      severity: .notice, rule: fixed.rule, message: "Fixed: \(fixed.message)", location: fixed.location,
      help: fixed.fixes.first.map { "Written: \($0.written)" })
  }
}
