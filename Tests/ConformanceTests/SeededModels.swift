// The models in the registries of both schemas, each able to make a value from a seed.
import ModelSupport
import MomentsModels
import Testing
import TypeMatrix

/// The members that `fixtures: true` generates. A model in a registry that is missing below fails
/// `everyModelIsCovered`.
protocol SeededModel: Model {
  static func fixture(seed: UInt64) -> Self
  static func fixture(_ generator: inout FixtureGenerator) -> Self
}

extension Member: SeededModel {}
extension Moment: SeededModel {}
extension MomentNotification: SeededModel {}
extension Photo: SeededModel {}
extension Board: SeededModel {}
extension Card: SeededModel {}
extension Defaults: SeededModel {}
extension Derived: SeededModel {}
extension Event: SeededModel {}
extension EveryList: SeededModel {}
extension EveryOptional: SeededModel {}
extension EverySet: SeededModel {}
extension EverySingle: SeededModel {}
extension Homeward: SeededModel {}
extension InStruct: SeededModel {}
extension Keyword: SeededModel {}
extension Pair: SeededModel {}
extension Ranked: SeededModel {}
extension RankedHere: SeededModel {}
extension Seat: SeededModel {}
extension VersionOne: SeededModel {}
extension VersionTwo: SeededModel {}
extension Wordy: SeededModel {}

enum SeededModels {
  static let schemas: [any SchemaDescription.Type] = [MomentsSchema.self, TypeMatrixSchema.self]

  static func of(_ schema: any SchemaDescription.Type) -> [any SeededModel.Type] {
    schema.models.compactMap { $0 as? any SeededModel.Type }
  }

  static let all = schemas.flatMap(of)
}

@Suite struct SeededModelsTests {
  @Test(arguments: SeededModels.schemas.indices) func everyModelIsCovered(index: Int) {
    let schema = SeededModels.schemas[index]
    #expect(!schema.models.isEmpty)
    for model in schema.models {
      #expect(model is any SeededModel.Type, "\(schema.name) has \(model), which no conformance test covers")
    }
  }

  /// The id of each fixture is bound to its queue, as the store and the server demand of new objects.
  @Test(arguments: SeededModels.all.indices) func everyFixtureIsBoundToItsQueue(index: Int) {
    func check<Object: SeededModel>(_: Object.Type) {
      for seed in 0..<50 as Range<UInt64> {
        let object = Object.fixture(seed: seed)
        let (id, queue) = (object.id.rawValue, object.queueID ?? .zero)
        guard Object.self is any QueueModel.Type else {
          #expect(id.isBound(to: queue), "\(Object.modelName), seed \(seed)")
          continue
        }
        let isDerived = Object.objectAccess.identity?.isEmpty == false
        #expect(id == queue.root && (isDerived ? queue.isDerived : id.isVersion4), "\(Object.modelName), seed \(seed)")
      }
    }
    check(SeededModels.all[index])
  }
}
