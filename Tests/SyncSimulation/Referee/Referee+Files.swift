// Holds requests about files against the model: who may bring them, and which are there.

import SyncProtocol
import SyncServer
import WireFormat

/// A request about a file, while it is served. `@unchecked Sendable`: one thread.
final class ServedFile: @unchecked Sendable {
  let place: FileKey
  private(set) var isWriting = false
  /// The queue that it copies from.
  private(set) var source: PlainID?
  /// The range of a download.
  private(set) var range: Range<Int64>?
  /// Whether its bytes are not those of the file.
  private(set) var isSpoilt = false
  /// The model's verdict when the server last looked at the membership; nil before that.
  fileprivate(set) var entry: PlainFileEntry?
  /// The membership has changed since then.
  fileprivate(set) var isDoubtful = false
  /// The membership has ended since then, and that has been answered: nothing more may be written.
  fileprivate(set) var isEnded = false
  /// The server has noted the file for this request.
  fileprivate(set) var hasArrived = false

  init(_ request: FileExchange) {
    place = request.place
    switch request.call {
    case .state: break
    case .range(let asked): range = asked
    case .part(let part): (isWriting, isSpoilt) = (true, part.isSpoilt)
    case .copy(let queue): (isWriting, source) = (true, PlainID(queue))
    }
  }

  var hash: [UInt8] { place.hash.bytes }
  var queue: PlainID { PlainID(place.queue) }
}

extension Referee {
  /// Notes a request about a file. Returns what to call when it is answered.
  func begin(file served: ServedRequest) -> () -> Void {
    files.append(served)
    return { [self] in files.removeAll { $0 === served } }
  }

  /// The server has looked at the membership, and whether the file is there. The model does so at the same moment.
  func lookAt(_ file: ServedFile, _ served: ServedRequest) {
    file.entry =
      if let source = file.source {
        model.entry(of: file.hash, in: file.queue, from: source, by: served.user)
      } else {
        model.entry(of: file.hash, in: file.queue, by: served.user, writing: file.isWriting)
      }
    file.isDoubtful = false
  }

  func check(_ answer: FileReply, to served: ServedRequest) {
    guard case .file(let file) = served.call else { return }
    switch (answer, file.entry) {
    case (.trouble, _), (.refused(.unavailable), _): break
    case (.refused(.forbidden), .forbidden?): break
    case (_, nil): if !served.hasFailed { report("it answers \(answer) of a file, and has not looked") }
    case (_, .forbidden?): report("it answers \(answer) to somebody who may not have files of \(file.queue)")
    case (.refused(.forbidden), _): if !file.isDoubtful { report("it refuses a file of a member") }
    case (.arrived(let size, isComplete: true), .complete(let expected)?),
      (.unsatisfiable(let size), .complete(let expected)?):
      if size != expected { report("it says that a file has \(size) bytes, not \(expected)") }
    case (.arrived(_, isComplete: true), .open?):
      if !file.hasArrived { report("it says that a file is there that has not come") }
    case (.bytes(let bytes, let size), .complete(let expected)?):
      if size != expected { report("it says that a file has \(size) bytes, not \(expected)") }
      if let range = file.range, !world.oracles.areBytes(bytes, of: file.place, in: range) {
        report("it hands over wrong bytes of a file")
      }
    // Upkeep, or an operator, may take the file while it is read, or asked about.
    case (.refused(.notFound), .complete?) where !file.isWriting && world.server.folder.whole(file.place) == nil: break
    case (.bytes, .open?): report("it hands over bytes of a file that is not there")
    case (.refused(.notFound), .nothingToCopy?): break
    case (_, .nothingToCopy?): report("it answers \(answer) of a file that is nowhere")
    case (_, .complete?): report("it answers \(answer) of a file that is there")
    case (_, .open?): break
    }
  }

  /// Called when bytes are written for the request that is served now. Reports them if its user may not bring them.
  func noteBytes() {
    guard case .file(let file)? = ServedRequest.current?.call else { return }
    if file.entry != .open || !file.isWriting { report("it takes bytes of a file from somebody who may not bring it") }
    if file.isEnded { report("it takes bytes of a file after the membership has ended, and that was answered") }
  }

  /// Called when bytes are read for the request that is served now. Reports that if the membership has ended.
  func noteReading() {
    guard case .file(let file)? = ServedRequest.current?.call, file.isEnded else { return }
    report("it reads a file for somebody whose membership has ended, and that was answered")
  }

  /// Notes which requests about files end, because a transaction has changed memberships. They have ended when the
  /// request that changed them is answered.
  func noteMembers(_ effects: PlainEffects, by served: ServedRequest?) {
    guard !effects.members.isEmpty else { return }
    let before = model.queues[effects.queue]?.members
    for request in files {
      guard case .file(let file) = request.call, file.queue == effects.queue || file.source == effects.queue,
        effects.members[request.user] != nil, let entry = file.entry, entry != .forbidden
      else { continue }
      file.isDoubtful = true
      // Another grant than before is another membership. A role that still lets its user bring files ends nothing, and
      // no role ends a read.
      let goesOn = (effects.members[request.user] ?? nil).map { member in
        member.grant == before?[request.user]?.grant
          && (!file.isWriting || file.queue != effects.queue
            || model.access(to: effects.queue).letsBringFiles(member.role))
      }
      if goesOn != true { served?.ended.append(file) }
    }
  }

  /// A request is answered, so the requests about files that it ends have ended.
  func endFiles(of served: ServedRequest) {
    for file in served.ended where !file.isEnded {
      file.isEnded = true
      if file.isWriting { world.count("uploads that end with the membership") }
    }
  }

  /// Adds to `transaction` what the transaction of a request about a file must do.
  func takeFiles(_ record: TransactionRecord, for served: ServedRequest?, _ transaction: inout PlainTransaction) {
    guard case .file(let file)? = served?.call, record.files.contains(where: { $0.file != nil }) else { return }
    if file.isEnded { report("it notes a file after a membership has ended, and that was answered") }
    transaction.bring(file.hash, by: served?.user ?? .zero, world.server.folder.whole(file.place))
    file.hasArrived = true
  }

  /// Notes files that come and go. No device brings a file again that upkeep takes before it was there for 7 days.
  func noteFiles(_ effects: PlainEffects) {
    for step in effects.files {
      switch step {
      case .came(let hash, _):
        world.trace("the server has \(place(hash, effects.queue).words)")
        world.notBroughtAgain.remove(place(hash, effects.queue))
        world.everThere.insert(place(hash, effects.queue))
      case .went(let hash):
        world.trace("the server has no more \(place(hash, effects.queue).words)")
        let since = model.queues[effects.queue]?.files.rows[hash]?.since ?? 0
        if since > newestTime - 7 * UpkeepRules.day { world.notBroughtAgain.insert(place(hash, effects.queue)) }
      default: break
      }
    }
  }

  private func place(_ hash: [UInt8], _ queue: PlainID) -> FileKey {
    FileKey(queue: QueueID(queue), hash: ContentHash(bytes: hash) ?? .zero)
  }

  func isThere(_ hash: [UInt8], in queue: PlainID) -> Bool {
    guard let hash = ContentHash(bytes: hash) else { return false }
    return world.server.folder.whole(FileKey(queue: QueueID(queue), hash: hash)) != nil
  }

  /// Describes where the files of the database differ from the model's; nil if all of `hashes` agree, and the sum of
  /// bytes.
  func difference(
    ofFiles hashes: Set<[UInt8]>, _ files: PlainFiles?, in queue: QueueID, _ snapshot: any QueueSnapshot
  ) throws -> String? {
    for bytes in hashes.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let hash = ContentHash(bytes: bytes) else { continue }
      let found = try snapshot.file(hash, in: queue)
      let row = found.map {
        PlainFile(size: $0.size, since: $0.since.millisecondsSince1970, by: PlainID($0.by))
      }
      let expected = files?.rows[bytes]
      if row != expected { return "\(queue.short) has file \(hash): \(words(row)), not \(words(expected))" }
      guard let found, found.isReferenced != files?.isNamed(bytes) else { continue }
      return "\(queue.short) has file \(hash), which \(found.isReferenced ? "nothing" : "something") names"
    }
    let bytes = try snapshot.fileBytes(in: queue) - snapshot.unfinishedBytes { place, _ in place.queue == queue }
    let expected = files?.bytes() ?? 0
    return bytes == expected ? nil : "\(queue.short) has \(bytes) bytes of files, not \(expected)"
  }
}

extension QueueSnapshot {
  /// The room of unfinished uploads, which the model does not have. The sums of bytes contain it.
  func unfinishedBytes(where isCounted: (FileKey, StoredPart) -> Bool) throws -> Int64 {
    try parts(after: nil, limit: .max).reduce(0) { sum, place in
      guard let part = try part(place.hash, in: place.queue), isCounted(place, part) else { return sum }
      return sum + part.bytes
    }
  }
}

extension Referee {
  /// Every file that the server says it has.
  var filePlaces: [FileKey] {
    model.queues.sorted { $0.key < $1.key }.flatMap { id, queue in
      queue.files.rows.keys.compactMap(ContentHash.init(bytes:)).sorted().map {
        FileKey(queue: QueueID(id), hash: $0)
      }
    }
  }
}
