// The files of a queue: which are there, and what names them. Section "Files" of sync-protocol.md.

import Crypto

/// A file that is there as a whole.
struct PlainFile: Equatable {
  var size: Int64
  /// When it came.
  var since: Int64
  /// The user who brought it first.
  var by = PlainID.zero
}

/// A field of a live object; tag 0 is for what its operations have waited for.
struct PlainNaming: Hashable {
  var object: PlainID
  var tag: UInt64
}

/// Files by their hashes, and what names each.
struct PlainFiles: Equatable {
  private(set) var rows: [[UInt8]: PlainFile] = [:]
  private(set) var names: [[UInt8]: Set<PlainNaming>] = [:]
  /// How often each has been named, by objects that are gone too.
  private var namings: [[UInt8]: Int] = [:]

  /// What a transaction does to them.
  enum Step: Equatable {
    case came([UInt8], PlainFile)
    case went([UInt8])
    case named([UInt8], by: PlainNaming)
    /// The field names nothing any more.
    case emptied(PlainNaming)
    case deleted(PlainID)
  }

  /// Of all that are there, or of those that a user has brought.
  func bytes(of user: PlainID? = nil) -> Int64 {
    rows.values.filter { user == nil || $0.by == user }.reduce(0) { $0 + $1.size }
  }

  func isNamed(_ hash: [UInt8]) -> Bool { names[hash] != nil }

  func namings(of hash: [UInt8]) -> Int { namings[hash] ?? 0 }

  /// Nothing names it, and it came before a time.
  func isOld(_ hash: [UInt8], _ limit: Int64) -> Bool {
    rows[hash].map { $0.since < limit && !isNamed(hash) } ?? false
  }

  mutating func take(_ step: Step) {
    switch step {
    case .came(let hash, let file): rows[hash] = file
    case .went(let hash): rows[hash] = nil
    case .named(let hash, let naming):
      names[hash, default: []].insert(naming)
      namings[hash, default: 0] += 1
    case .emptied(let naming): forget { $0 == naming }
    case .deleted(let object): forget { $0.object == object }
    }
  }

  private mutating func forget(_ isGone: (PlainNaming) -> Bool) {
    for (hash, namings) in names where namings.contains(where: isGone) {
      let left = namings.filter { !isGone($0) }
      names[hash] = left.isEmpty ? nil : left
    }
  }

  /// They stay no longer than their queue: upkeep takes all of them next.
  mutating func end() {
    names = [:]
    for hash in rows.keys { rows[hash]?.since = 0 }
  }

  /// Of which files the steps of a transaction may have changed something.
  func touched(by steps: [Step]) -> Set<[UInt8]> {
    var hashes: Set<[UInt8]> = []
    for step in steps {
      switch step {
      case .came(let hash, _), .went(let hash), .named(let hash, _): hashes.insert(hash)
      case .emptied(let naming): hashes.formUnion(names.filter { $0.value.contains(naming) }.keys)
      case .deleted(let object):
        hashes.formUnion(names.filter { $0.value.contains { $0.object == object } }.keys)
      }
    }
    return hashes
  }
}

/// What a request for a file meets.
enum PlainFileEntry: Equatable {
  /// For everybody who is no member, or may not write, whatever is there.
  case forbidden
  case complete(size: Int64)
  /// It is not there as a whole.
  case open
  /// Neither is it in the queue that it shall be copied from.
  case nothingToCopy
}

extension PlainServer {
  func entry(of hash: [UInt8], in queue: PlainID, by user: PlainID, writing: Bool) -> PlainFileEntry {
    guard queue.mayBeAsked(by: user), let found = queues[queue], let member = found.members[user],
      !writing || access.letsBringFiles(member.role)
    else { return .forbidden }
    return found.files.rows[hash].map { .complete(size: $0.size) } ?? .open
  }

  /// Of a copy from another queue.
  func entry(of hash: [UInt8], in queue: PlainID, from source: PlainID, by user: PlainID) -> PlainFileEntry {
    let target = entry(of: hash, in: queue, by: user, writing: true)
    guard target == .open else { return target }
    return switch entry(of: hash, in: source, by: user, writing: false) {
    case .complete: .open
    case .forbidden: .forbidden
    case .open, .nothingToCopy: .nothingToCopy
    }
  }
}

extension PlainTransaction {
  func hasFile(_ hash: [UInt8]) -> Bool { before?.files.rows[hash] != nil }

  /// What fields name from now on. Over an object that is there a create fills only what is absent, and nobody knows
  /// whether that was the field: it adds.
  mutating func name(_ fields: [PlainFileField], by object: PlainID, adding: Bool) {
    for field in fields {
      let naming = PlainNaming(object: object, tag: field.tag)
      if !adding { note(.emptied(naming)) }
      for hash in field.hashes { note(.named(hash, by: naming)) }
    }
  }

  /// The last part has come: `bytes` is what lies in the folder now.
  mutating func bring(_ hash: [UInt8], by user: PlainID, _ bytes: [UInt8]?) {
    guard let role = member(user)?.role, access.letsBringFiles(role), let bytes,
      Array(SHA256.hash(data: bytes)) == hash
    else { return }
    let first = before?.files.rows[hash]?.by ?? user
    note(.came(hash, PlainFile(size: Int64(bytes.count), since: time, by: first)))
  }

  /// Upkeep, where nothing names them any more, and after a time.
  mutating func forgetFiles(_ hashes: [[UInt8]], before limit: Int64) {
    for hash in hashes where before?.files.isOld(hash, limit) == true { note(.went(hash)) }
  }
}
