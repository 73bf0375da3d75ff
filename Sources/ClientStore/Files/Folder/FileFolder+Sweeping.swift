// Sweeping: removes files that crashes and cancelled work left behind.

import WireFormat

extension FileFolder {
  static let day: Int64 = 24 * 60 * 60 * 1_000

  /// Removes files that nothing names: in the cache at once, elsewhere once they have not been touched for a day. Files
  /// that somebody holds stay. Lets other tasks run in between.
  func sweep(at now: Timestamp, isNamed: (ContentHash) throws -> Bool) async throws {
    let before = now.millisecondsSince1970 - Self.day
    try sweepTemporary(before, isNamed: isNamed)
    for (number, name) in try disk.names(in: pending).enumerated() {
      if number.isMultiple(of: 100) { await Task.yield() }
      guard let hash = ContentHash(name), let state = try disk.state(of: pending(hash)), state.time < before,
        !isPinned(hash)
      else { continue }
      try unlessNeeded(hash, isNamed) {
        try disk.remove(pending(hash))
        changed(hash)
      }
    }
    // Left by a copy across volumes that was cut off.
    for name in try disk.names(in: pending) where name.hasSuffix(".new") {
      guard let state = try disk.state(of: "\(pending)/\(name)"), state.time < before else { continue }
      try disk.remove("\(pending)/\(name)")
    }
    for (name, state) in try cachedFiles() where !isPinned(name) {
      if let variant = name.variant, options.variants[variant] == nil {
        // Made by an older version of the app.
        try makeRoom(of: name)
      } else {
        try unlessNeeded(name.hash, isNamed) { try forget(name, state.size) }
      }
    }
    for name in try disk.names(in: cache) where name.hasSuffix(".part") || name.hasSuffix(".new") {
      let before = name.hasSuffix(".new") ? before : before - 6 * Self.day
      guard let state = try disk.state(of: "\(cache)/\(name)"), state.time < before else { continue }
      try disk.remove("\(cache)/\(name)")
    }
  }

  /// Removes the parts of all files except those in `fetched`, because their queues may have gone. The next fetch of
  /// such a file begins again.
  func removeParts(but fetched: Set<ContentHash>) throws {
    for name in try disk.names(in: cache) where name.hasSuffix(".part") {
      guard let hash = ContentHash(String(name.dropLast(5))), !fetched.contains(hash) else { continue }
      try disk.remove(part(hash))
      state.withLock { $0.fetches[hash] = nil }
    }
  }

  private func sweepTemporary(_ before: Int64, isNamed: (ContentHash) throws -> Bool) throws {
    let own = state.withLock(\.processFolder)
    for folder in try disk.names(in: temporary) {
      let path = "\(temporary)/\(folder)"
      let names = try disk.names(in: path)
      var isEmpty = true
      for name in names {
        if let state = try disk.state(of: "\(path)/\(name)"), state.time >= before {
          isEmpty = false
        } else if let hash = ContentHash(name) {
          // A file that was held while it was kept has two names.
          let isKept = try disk.state(of: pending(hash)) != nil && !isPinned(hash)
          let isNeeded = { try !isKept && isNamed($0) }
          try unlessNeeded(hash, isNeeded) {
            try disk.remove("\(path)/\(name)")
            changed(hash)
          }
          isEmpty = try isEmpty && disk.state(of: "\(path)/\(name)") == nil
        } else {
          try disk.remove("\(path)/\(name)")
        }
      }
      // This process may be about to write its first file into its empty folder; so may another one, in this moment.
      if isEmpty, path != own || !names.isEmpty { try disk.removeFolder(path) }
    }
  }
}
