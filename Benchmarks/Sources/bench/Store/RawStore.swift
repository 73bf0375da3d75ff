// The C peer: SQLite's functions, called from Swift as rarely as possible.

import CRawStore
import ModelSupport

final class RawStore {
  private let store: OpaquePointer

  /// `settings` are pragmas in addition to WAL and synchronous = FULL.
  init(_ path: String, settings: String = "") throws {
    guard let store = raw_open(path, settings) else { throw RawStoreError(code: -1) }
    self.store = store
  }

  deinit { raw_close(store) }

  func apply(_ delta: RawDelta) throws {
    try check(raw_apply(store, delta.objects, delta.objects.count))
  }

  func update(_ id: UUIDValue, _ content: [UInt8]) throws {
    try check(raw_update(store, id.bytes, content, Int32(content.count)))
  }

  /// Copies the content of the object to `buffer` and returns its size.
  func read(_ id: [UInt8], into buffer: inout [UInt8]) throws -> Int {
    var count = Int32(buffer.count)
    try check(raw_read(store, id, &buffer, &count))
    return Int(count)
  }

  private func check(_ code: Int32) throws {
    if code != 0 { throw RawStoreError(code: code) }
  }
}

struct RawStoreError: Error {
  /// SQLite's result code, or -1 if the database could not be opened.
  let code: Int32
}

/// A delta in C's form: structs, and all contents in one piece of memory.
final class RawDelta {
  let objects: [raw_object]
  private let contents: UnsafeMutableRawBufferPointer

  init(_ states: [ObjectState]) {
    let live = states.compactMap { state in state.live.map { (state, $0) } }
    let contents = UnsafeMutableRawBufferPointer.allocate(
      byteCount: live.reduce(0) { $0 + $1.1.content.count }, alignment: 1)
    var end = 0
    objects = live.map { state, live in
      let place = UnsafeMutableRawBufferPointer(rebasing: contents[end..<end + live.content.count])
      place.copyBytes(from: live.content)
      end += live.content.count
      var object = raw_object()
      withUnsafeMutableBytes(of: &object.id) { $0.copyBytes(from: state.id.bytes) }
      withUnsafeMutableBytes(of: &object.created_by) { $0.copyBytes(from: live.system.createdBy.rawValue.bytes) }
      object.revision = state.revision
      object.newest_by = live.newestBy ?? 0
      object.content = UnsafeRawPointer(place.baseAddress)
      object.count = Int32(live.content.count)
      return object
    }
    self.contents = contents
  }

  deinit { contents.deallocate() }
}
