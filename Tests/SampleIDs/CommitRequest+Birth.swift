// Bears queues for tests that need no root.

package import SyncProtocol
package import WireFormat

extension CommitRequest {
  /// Bears a queue with no object but the member's: the mutation that would create the root is void.
  package static func birth(of queue: QueueID) -> Self {
    let root = OperationChanges(objects: [ObjectChange(queue.root, .create(type: "root", .none))])
    // Encodes a few bytes, so it cannot fail.
    let changes = try! root.encoded()
    return Self(
      queue: queue, mutations: [Mutation(operation: .queue(1), firstSent: .zero, changes: changes, isVoid: true)])
  }
}
