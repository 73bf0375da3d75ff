// Everything that a user may read, as a file that programs and people can read: for whoever asks for a copy of it.

import Foundation
package import JSON
package import SyncProtocol
package import WireFormat

/// Lines of JSON, each an object: first the user, then each queue with what is in it.
package struct UserExport {
  private let user: UserID
  private let snapshot: any QueueSnapshot
  private let write: (JSONValue) throws -> Void

  /// How many objects and files were written.
  package struct Counts: Hashable, Sendable {
    package var queues = 0
    package var objects = 0
    package var files = 0
  }

  package init(
    of user: UserID, _ snapshot: any QueueSnapshot, write: @escaping (JSONValue) throws -> Void
  ) { (self.user, self.snapshot, self.write) = (user, snapshot, write) }

  /// Writes everything. Calls `file` for each file of the queues.
  package func run(at time: Timestamp, file: (FileKey, StoredFile) throws -> Void) throws -> Counts {
    try write(["format": .number("1"), "user": .string("\(user)"), "time": .string("\(time)")])
    var counts = Counts()
    for id in try snapshot.allQueues(of: user) {
      guard let queue = try snapshot.queue(id) else { continue }
      try write(try line(of: id, queue))
      counts.queues += 1
      counts.objects += try writeObjects(of: id)
      counts.files += try writeFiles(of: id, file)
    }
    return counts
  }

  private func line(of id: QueueID, _ queue: StoredQueue) throws -> JSONValue {
    let members = try snapshot.members(of: id).sorted { $0.key < $1.key }.map { user, membership -> JSONValue in
      [
        "user": .string("\(user)"), "role": .string("\(membership.role)"), "since": .string("\(membership.since)"),
        "addedBy": .string("\(membership.by)"),
      ]
    }
    return ["queue": .string("\(id)"), "schema": .string(queue.schema), "members": .array(members)]
  }

  private func writeObjects(of queue: QueueID) throws -> Int {
    var (cursor, count): (Int64, Int) = (0, 0)
    while true {
      let page = try snapshot.changes(in: queue, after: cursor, rows: 500)
      for object in page.objects {
        guard let live = object.live, !live.type.hasPrefix("sync.") else { continue }
        try write([
          "object": .string("\(object.id)"), "queue": .string("\(queue)"), "type": .string(live.type),
          "createdBy": .string("\(live.system.createdBy)"), "createdAt": .time(live.system.createdAt),
          "updatedAt": .time(live.system.updatedAt), "content": .string(Data(live.content).base64EncodedString()),
        ])
        count += 1
      }
      guard let last = page.objects.last, !page.isLast else { return count }
      cursor = last.revision
    }
  }

  private func writeFiles(of queue: QueueID, _ body: (FileKey, StoredFile) throws -> Void) throws -> Int {
    var (place, count) = (FileKey(queue: queue, hash: .zero), 0)
    while true {
      let files = try snapshot.files(after: place, limit: 500).filter { $0.place.queue == queue }
      guard let last = files.last else { return count }
      for (place, file) in files {
        try write([
          "file": .string("\(place.hash)"), "queue": .string("\(queue)"), "bytes": .number("\(file.size)"),
          "broughtBy": .string("\(file.by)"),
        ])
        try body(place, file)
        count += 1
      }
      place = last.place
    }
  }
}
