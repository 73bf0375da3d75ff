// Ids: random ones repeat with their seed, derived ones follow from what they are derived of, and both say so.

import Determinism
import Foundation
import ModelTypes
import Testing
import WireFormat

@Suite struct Identities {
  @Test func aSeedRepeatsIDsAndTimes() {
    func run(_ seed: UInt64) -> [String] {
      RuntimeEnvironment.$current.withValue(.seeded(seed)) {
        (0..<20).map { _ in "\(ObjectID<Self>.new()) \(Timestamp.now)" }
      }
    }
    #expect(run(1) == run(1))
    #expect(Set(run(1) + run(2)).count == 40)
  }

  @Test func newIDsAreOfVersion4AndDerivedOnesOf8() {
    for number in 0..<100 as Range<Int32> {
      let random = Array(ObjectID<Self>.new().description)
      var hasher = IdentityHasher(queue: nil, model: "photo")
      hasher.combine(1, number)
      let derived = Array((hasher.finish() as ObjectID<Self>).description)
      #expect(random[14] == "4" && derived[14] == "8")
      #expect("89ab".contains(random[19]) && "89ab".contains(derived[19]))
    }
  }

  @Test func everyPartOfAnIdentityCounts() {
    func id(_ queue: QueueID?, _ model: String, _ tag: Int, _ value: String) -> ObjectID<Self> {
      var hasher = IdentityHasher(queue: queue, model: model)
      hasher.combine(tag, value)
      return hasher.finish()
    }
    let queue = QueueID(UUIDValue(high: 1, low: 2))
    let ids = [
      id(nil, "photo", 1, "a"), id(queue, "photo", 1, "a"), id(nil, "note", 1, "a"), id(nil, "photo", 2, "a"),
      id(nil, "photo", 1, "b"), id(nil, "photo", 1, ""),
    ]
    #expect(Set(ids).count == ids.count)
    #expect(id(queue, "photo", 1, "a") == ids[1])
  }

  @Test func foundationKeepsTheBytes() throws {
    let text = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
    let value = try #require(UUIDValue(text))
    #expect(UUID(value).uuidString.lowercased() == text)
    #expect(UUIDValue(UUID(value)) == value)
  }
}
