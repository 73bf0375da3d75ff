// Random ids repeat with their seed, derived ids follow from their parts, and an id shows whether it is a queue's.

import Determinism
import Foundation
import ModelTypes
import SampleIDs
import SyncProtocol
import Testing
import WireFormat

@Suite struct Identities {
  @Test func aSeedRepeatsIDsAndTimes() {
    func run(_ seed: UInt64) -> [String] {
      RuntimeEnvironment.$current.withValue(.seeded(seed)) {
        (0..<20).map { _ in "\(QueueID.new()) \(ObjectID<Draft>.new(in: nil)) \(Timestamp.now)" }
      }
    }
    #expect(run(1) == run(1))
    #expect(Set(run(1) + run(2)).count == 40)
  }

  @Test func idsOfQueuesAreOfVersion4AndAllOthersOf8() {
    for number in 0..<100 as Range<Int32> {
      #expect(QueueID.new().rawValue.isVersion4 && Album.ID.new().rawValue.isVersion4)
      let random = Array(Page.ID.new(in: .new()).description)
      var hasher = IdentityHasher(queue: nil, model: "photo")
      hasher.combine(1, number)
      let derived = Array((hasher.finish() as ObjectID<Self>).description)
      #expect(random[14] == "8" && derived[14] == "8")
      #expect("89ab".contains(random[19]) && "89ab".contains(derived[19]))
    }
  }

  @Test func derivedIDDependsOnEveryPart() {
    func id(_ queue: QueueID?, _ model: String, _ tag: Int, _ value: String) -> ObjectID<Self> {
      var hasher = IdentityHasher(queue: queue, model: model)
      hasher.combine(tag, value)
      return hasher.finish()
    }
    let queue = QueueID.queue(1)
    let ids = [
      id(nil, "photo", 1, "a"), id(queue, "photo", 1, "a"), id(nil, "note", 1, "a"), id(nil, "photo", 2, "a"),
      id(nil, "photo", 1, "b"), id(nil, "photo", 1, ""),
    ]
    #expect(Set(ids).count == ids.count)
    #expect(id(queue, "photo", 1, "a") == ids[1])
  }

  @Test func anIDIsBoundToOneQueue() {
    for number in 0..<100 as Range<UInt64> {
      let (queue, other) = (QueueID.queue(number), QueueID.queue(number + 1))
      let id = Page.ID.new(in: queue).rawValue
      #expect(id.isBound(to: queue) && !id.isBound(to: other) && !id.isBound(to: .zero))
      #expect(Draft.ID.new(in: nil).rawValue.isBound(to: .zero))
      #expect(!queue.rawValue.isBound(to: queue))
      // Flips each bit of both halves, which include the version and the variant.
      for bit in 0..<64 as Range<UInt64> {
        #expect(!UUIDValue(high: id.high ^ 1 << bit, low: id.low).isBound(to: queue), "\(number), \(bit)")
        #expect(!UUIDValue(high: id.high, low: id.low ^ 1 << bit).isBound(to: queue), "\(number), \(bit)")
      }
    }
  }

  @Test func derivedIDsAreBoundToTheirQueue() {
    let user = UserID(high: 1, low: 2)
    var hasher = IdentityHasher(queue: .queue(7), model: "photo")
    hasher.combine(1, "a")
    #expect((hasher.finish() as Page.ID).rawValue.isBound(to: .queue(7)))
    let home = SyncID.homeQueue(ofUser: user, schema: "Moments")
    let membership = SyncID.membership(of: .queue(7), inHome: home)
    #expect(membership.isBound(to: home))
    #expect(SyncID.member(user, inQueue: .queue(7)).isBound(to: .queue(7)))
  }

  @Test func conversionToFoundationKeepsBytesOfID() throws {
    let text = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
    let value = try #require(UUIDValue(text))
    #expect(UUID(value).uuidString.lowercased() == text)
    #expect(UUIDValue(UUID(value)) == value)
    #expect(UUID(UserID(value)) == UUID(value) && UserID(UUID(value)) == UserID(value))
  }
}
