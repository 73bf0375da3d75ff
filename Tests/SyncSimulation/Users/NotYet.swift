// Stands in for what the store does not have yet.
import ClientStore
import ModelTypes
import WireFormat

extension ModelStore {
  @discardableResult
  func perform(_ operation: some ModelOperation, after: [UUIDValue]) -> OperationHandle { perform(operation) }
  func noteUploaded(_ files: Set<ContentHash>, in queue: QueueID) async {}
}
extension OperationContext {
  mutating func demandUnchanged(_ photo: ObjectID<Photo>) throws {}
}
