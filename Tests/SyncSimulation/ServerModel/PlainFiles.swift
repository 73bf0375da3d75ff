// The files of a queue: which are there, and which fields name them. Section "Files" of sync-server.md.

import Crypto

/// A file that is there as a whole.
struct PlainFile: Equatable {
  var size: Int64
  /// When it came.
  var since: Int64
  /// The user who brought it first.
  var by = PlainID.zero
}

/// A field of a live object. Tag 0 stands for the files for which operations of the object have waited.
struct PlainNaming: Hashable {
  var object: PlainID
  var tag: UInt64
}

/// Files by their hashes, and the fields that name each.
struct PlainFiles: Equatable {
  private(set) var rows: [[UInt8]: PlainFile] = [:]
  private(set) var names: [[UInt8]: Set<PlainNaming>] = [:]
  /// How often each has ever been named, also by objects that are gone.
  private var namings: [[UInt8]: Int] = [:]

  /// One thing that a transaction does to the files of a queue.
  enum Step: Equatable {
    case came([UInt8], PlainFile)
    case went([UInt8])
    case named([UInt8], by: PlainNaming)
    /// The field names nothing any more.
    case emptied(PlainNaming)
    case deleted(PlainID)
  }

  /// The bytes of all files, or of those that a user has brought.
  func bytes(of user: PlainID? = nil) -> Int64 {
    rows.values.filter { user == nil || $0.by == user }.reduce(0) { $0 + $1.size }
  }

  func isNamed(_ hash: [UInt8]) -> Bool { names[hash] != nil }

  func namings(of hash: [UInt8]) -> Int { namings[hash] ?? 0 }

  /// Whether nothing names the file, and it came before `limit`.
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

  /// Ends the queue: nothing names its files any more, and the next upkeep takes all of them.
  mutating func end() {
    names = [:]
    for hash in rows.keys { rows[hash]?.since = 0 }
  }

  /// The files for which the steps of a transaction may have changed something.
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

/// How a request about a file is received.
enum PlainFileEntry: Equatable {
  /// The user is no member, or may not write. Says nothing about the file.
  case forbidden
  case complete(size: Int64)
  /// It is not there as a whole.
  case open
  /// The file is not in the queue from which it should be copied either.
  case nothingToCopy
}

extension PlainServer {
  func entry(of hash: [UInt8], in queue: PlainID, by user: PlainID, writing: Bool) -> PlainFileEntry {
    guard let found = queues[queue], let member = found.members[user],
      !writing || access(to: queue).letsBringFiles(member.role)
    else { return .forbidden }
    return found.files.rows[hash].map { .complete(size: $0.size) } ?? .open
  }

  /// The same for a copy from another queue.
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

  /// Notes the files that fields name from now on. A create over a present object only adds (`adding`): it fills only
  /// absent fields, and the server does not know whether the field was absent.
  mutating func name(_ fields: [PlainFileField], by object: PlainID, adding: Bool) {
    for field in fields {
      let naming = PlainNaming(object: object, tag: field.tag)
      if !adding { note(.emptied(naming)) }
      for hash in field.hashes { note(.named(hash, by: naming)) }
    }
  }

  /// Notes a file when its last part, or a copy of it, has come. `bytes` is what lies in the folder now.
  mutating func bring(_ hash: [UInt8], by user: PlainID, _ bytes: [UInt8]?) {
    guard let role = member(user)?.role, access.letsBringFiles(role), let bytes,
      Array(SHA256.hash(data: bytes)) == hash
    else { return }
    let first = before?.files.rows[hash]?.by ?? user
    note(.came(hash, PlainFile(size: Int64(bytes.count), since: time, by: first)))
  }

  /// Forgets the files that came before `limit`, if nothing names them.
  mutating func forgetFiles(_ hashes: [[UInt8]], before limit: Int64) {
    for hash in hashes where before?.files.isOld(hash, limit) == true { note(.went(hash)) }
  }
}
