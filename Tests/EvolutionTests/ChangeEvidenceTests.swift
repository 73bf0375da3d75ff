// The table of changes against real generated code: what a change breaks there is what the table says, no more and no less.

import Testing

@Suite struct ChangeEvidenceTests {
  /// Changes that are refused because they may mean two things. Nothing is broken yet: under the answer `reserved:` they
  /// are safe, and under the answer `was:` the values would not come along.
  static let questions: Set<String> = ["model-removed", "field-removed", "case-removed"]

  /// Of an ephemeral model nothing is stored that could be compared: stored objects stay where they are, and nothing shows
  /// them.
  static let unseen: Set<String> = ["ephemeral-changed"]

  @Test(arguments: ChangeCase.all.map(\.name)) func generatedCodeBreaksWhatTheTableSays(name: String) async throws {
    let change = try #require(ChangeCase.all.first { $0.name == name })
    let evidence = try await Evidence(change).found
    #expect(Set(evidence.keys) == change.breaks.intersection(Evidence.visible), "\(change.rules): \(evidence)")
    let silent = Self.questions.union(Self.unseen)
    if change.isBreaking, silent.isDisjoint(with: change.rules) { #expect(!evidence.isEmpty) }
  }

  @Test func mutantsAreOfManyKinds() {
    let mutants = ChangeCase.all.filter { $0.name.hasPrefix("mutant") }
    #expect(mutants.contains { $0.rules.isEmpty }, "the order of fields is no fact")
    #expect(Set(mutants.flatMap(\.rules)).count >= 12)
    #expect(mutants.count { $0.isBreaking } >= 15 && mutants.count { !$0.isBreaking } >= 15)
  }
}
