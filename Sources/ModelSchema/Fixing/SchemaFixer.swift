// Mends what can be mended for certain, and says what is left.
//
// Each step applies the fixes of a reading and reads again. A fix counts only where its finding is gone and no other
// error has come: else it is taken back, and left to the author. The fix of a syntax error counts in any case, because
// what was wrong behind the error shows then.

/// A schema folder after its fixes.
public struct FixingResult: Sendable {
  /// All files. Those without a fix are as they were.
  public var files: [SourceFile]
  /// What was mended, in this order, each at its place before the fix, and with that fix alone.
  public var fixed: [Diagnostic] = []
  /// What is left. The help says how `modelgen fix` goes on where it needs an answer, and what it has tried.
  public var remaining: [Diagnostic] = []
  /// The answers that no finding asks for.
  public var unusedAnswers: [String] = []
}

public struct SchemaFixer {
  private let lock: SchemaLock?
  private let answers: [String]
  private let original: [SourceFile]
  private var files: [SourceFile]
  private var now: Reading
  private var fixed: [Diagnostic] = []
  /// What was tried, and the rules that it would have broken.
  private var takenBack: [Diagnostic: [String]] = [:]
  /// Words that were corrected before the schema could be held against its releases.
  private var guesses: [Step] = []
  /// Those that the releases have proved wrong, and the rules that they would break.
  private var wrongGuesses: [Guess: [String]] = [:]
  private var usedAnswers: Set<String> = []

  /// Mends the files of a schema folder. `answers` are renames, such as `note.due=dueAt`. Pure.
  public static func fix(_ files: [SourceFile], lock: SchemaLock?, answers: [String] = []) -> FixingResult {
    var fixer = SchemaFixer(files, lock, answers)
    fixer.run()
    return FixingResult(
      files: fixer.files, fixed: fixer.fixed, remaining: fixer.now.diagnostics.map(fixer.explained),
      unusedAnswers: answers.filter { !fixer.usedAnswers.contains($0) })
  }

  private init(_ files: [SourceFile], _ lock: SchemaLock?, _ answers: [String]) {
    self.files = files
    self.lock = lock
    self.answers = answers
    original = files
    now = Reading(files, lock)
  }

  /// A fix and its finding.
  struct Step {
    var finding: Diagnostic
    var fix: Fix

    /// Whether it mends a syntax error, which hides all else that is wrong in its file.
    var uncovers: Bool { finding.rule == Rule.yamlSyntax.id }
  }

  /// Tries all fixes of a reading at once, and fewer of them where something is wrong.
  private mutating func run() {
    var most = Int.max
    while fixed.count < Self.mostFixes {
      let steps = steps(most)
      guard let first = steps.first else { return }
      let broken = apply(steps)
      if broken.isEmpty {
        most = most > Int.max / 2 ? Int.max : most * 2
      } else if steps.count == 1 {
        takenBack[first.finding] = broken
      } else {
        most = steps.count / 2
      }
    }
  }

  /// So that no mistake of ours makes it run forever. Every fix takes a finding away, so there are rarely as many.
  private static let mostFixes = 100_000

  /// The next fixes, at most `most`, of which no two touch the same line. Syntax errors go first, and alone.
  private mutating func steps(_ most: Int) -> [Step] {
    var steps: [Step] = []
    var lines: [String: Set<Int>] = [:]
    for finding in now.diagnostics where broken(finding) == nil && steps.count < most {
      guard let fix = finding.fixes.first(where: isPermitted) else { continue }
      if let answer = fix.answer { usedAnswers.insert(answer) }
      guard lines[fix.file, default: []].isDisjoint(with: fix.lines) else { continue }
      lines[fix.file, default: []].formUnion(fix.lines)
      steps.append(Step(finding: finding, fix: fix))
    }
    let uncovering = steps.filter(\.uncovers)
    return uncovering.isEmpty ? steps : uncovering
  }

  private func isPermitted(_ fix: Fix) -> Bool { fix.answer.map(answers.contains) ?? true }

  /// Applies fixes together. Changes nothing, and returns the rules that would be broken, where they give a new error.
  private mutating func apply(_ steps: [Step]) -> [String] {
    let edits = Dictionary(grouping: steps.flatMap(\.fix.edits), by: \.range.file)
    var next = files
    for (index, file) in files.enumerated() {
      guard let edits = edits[file.path] else { continue }
      guard let mended = file.applying(edits) else { return steps.map(\.finding.rule) }
      next[index] = mended
    }
    let reading = Reading(next, lock)
    let broken = reading.broken(since: now, by: steps)
    guard broken.isEmpty else { return broken }
    let wrong = now.wasCompared ? [] : reading.wrong(guesses)
    guard wrong.isEmpty else {
      restart(without: wrong)
      return []
    }
    if !reading.wasCompared { guesses += steps.filter { $0.finding.replacement != nil } }
    (files, now) = (next, reading)
    fixed += steps.map { step in
      var finding = step.finding
      finding.fixes = [step.fix]
      return finding
    }
    return []
  }

  /// Begins again without words that were corrected into what was never released.
  private mutating func restart(without wrong: [(step: Step, rule: String)]) {
    for (step, rule) in wrong { wrongGuesses[Guess(step.finding), default: []].append(rule) }
    (files, now) = (original, Reading(original, lock))
    (fixed, guesses) = ([], [])
  }

  /// The rules that the fix of a finding would break, as far as it was tried.
  private func broken(_ finding: Diagnostic) -> [String]? { takenBack[finding] ?? wrongGuesses[Guess(finding)] }

  /// A corrected word, wherever it is in its file.
  private struct Guess: Hashable {
    var file: String
    var message: String
    var word: String?

    init(_ finding: Diagnostic) {
      file = finding.location.file
      message = finding.message
      word = finding.replacement
    }
  }

  /// A finding that is left, with the reason.
  private func explained(_ finding: Diagnostic) -> Diagnostic {
    var finding = finding
    var words = finding.help.map { [$0] } ?? []
    if let broken = broken(finding) {
      let rules = Set(broken).sorted().map { "`\($0)`" }.joined(separator: ", ")
      words.append("`modelgen fix` has tried it and taken it back, because of \(rules).")
    }
    let renames = finding.fixes.compactMap(\.answer).filter { !answers.contains($0) }
    if !renames.isEmpty {
      let commands = renames.map { "`modelgen fix --rename \($0)`" }.joined(separator: " or ")
      words.append("Where it is a rename, \(commands) writes it down.")
    }
    finding.help = words.isEmpty ? nil : words.joined(separator: " ")
    return finding
  }
}
