// Every operation that the reader accepts becomes Swift that compiles: each value in each place, and mixtures of them.
import ModelEmitters
import ModelSchema
import TestSupport
import Testing

@Suite struct OperationSoundnessTests {
  static let seed: UInt64 = 20_261_121

  typealias Operation = (model: String, body: String)

  /// Each value in each place, as far as the reader accepts it.
  static let pairs: [(place: OperationCandidates.Place, value: String)] = OperationCandidates.places.flatMap { place in
    let values = OperationCandidates.values
    let operations = values.map { value -> Operation in (place.model, Self.body([(place, value)])) }
    let accepted = Set(OperationCandidates.accepted(operations).map(\.body))
    return zip(values, operations).filter { accepted.contains($1.body) }.map { (place, $0.0) }
  }

  @Test func everyValueInEveryPlaceCompiles() throws {
    let places = Set(Self.pairs.map(\.place))
    for place in OperationCandidates.places where place.effect.hasPrefix("set") == false {
      #expect(places.contains(place), "\(place.model): no value was taken for \(place.effect)")
    }
    #expect(Self.pairs.count > 500)
    try check(Self.pairs.map { ($0.place.model, Self.body([$0])) })
  }

  /// Several effects at once, and new objects. A value that may be set may be given to a new object too.
  @Test func mixturesOfEffectsCompile() throws {
    var random = SeededRandom(seed: Self.seed)
    let mixtures = (0..<150).compactMap { _ -> Operation? in
      guard let model = ["b", "c", "c", "c", "h", "l"].randomElement(using: &random) else { return nil }
      let count = Int.random(in: 1...4, using: &random)
      return (model, Self.mixture(of: count, model, &random))
    }
    let creations = (0..<150).map { _ -> Operation in ("c", Self.creation(&random)) }
    let accepted = OperationCandidates.accepted(mixtures + creations)
    #expect(accepted.count > 200, "seed \(Self.seed): only \(accepted.count) were taken")
    try check(accepted)
  }

  /// With long names a value does not fit into its line. Then each step of its path gets a name.
  @Test(arguments: [44, 64]) func longNamesCompile(length: Int) throws {
    let result = SchemaReader.read(RichSchema.files(length: length, operations: RichSchema.everyEffect))
    try TypeChecker.check(try #require(result.schema, "\(result.diagnostics.prefix(3))"), "length \(length),")
  }

  private func check(_ operations: [Operation]) throws {
    let result = SchemaReader.read(OperationCandidates.files(operations))
    let schema = try #require(result.schema, "\(result.diagnostics.filter { $0.severity == .error }.prefix(3))")
    try TypeChecker.check(schema, "seed \(Self.seed), \(operations.count) operations,")
  }

  private static func body(_ effects: [(place: OperationCandidates.Place, value: String)]) -> String {
    OperationCandidates.operation(
      effects.map { $0.place.effect.replacing("#", with: $0.value) }.joined(separator: ", "))
  }

  /// Effects of different kinds, on different fields. Two effects of one kind would be the same key twice.
  private static func mixture(of count: Int, _ model: String, _ random: inout SeededRandom) -> String {
    var effects: [(place: OperationCandidates.Place, value: String)] = []
    for _ in 0..<count {
      guard let pair = pairs.filter({ $0.place.model == model }).randomElement(using: &random) else { continue }
      let key = pair.place.effect.prefix { $0 != ":" }
      if effects.contains(where: { $0.place.field == pair.place.field || $0.place.effect.hasPrefix(key) }) { continue }
      effects.append(pair)
    }
    return body(effects)
  }

  /// Creates a card with random values, and upserts a seat.
  private static func creation(_ random: inout SeededRandom) -> String {
    func given(_ model: String, _ required: String, _ optional: String) -> String {
      let chosen = required + optional.filter { _ in Bool.random(using: &random) }
      return chosen.compactMap { field in
        // `$self` is of the model that values were accepted for, so such values fit that model only.
        let values = pairs.filter {
          $0.place.effect == "set: { \(field): # }" && $0.place.model == model
            && (model == "c" || !$0.value.contains("$self"))
        }
        return values.randomElement(using: &random).map { "\(field): \($0.value)" }
      }.joined(separator: ", ")
    }
    let card = "c: { a: $self.a, \(given("c", "bfhpqru", "cegijklmnostvwxz")) }"
    let seat = "s: { a: $self.a, b: $me, \(given("s", "c", "d")) }"
    return OperationCandidates.operation("create: { \(card) }, upsert: { \(seat) }")
  }
}
