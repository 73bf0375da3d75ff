// The fuzz target of the blob reader: any bytes give a value or an error, and a value keeps its bytes when it is
// written and read again.

import WireFormat

/// Reads `bytes` as each shape, because a field that is unknown to one shape is known to another.
public func fuzzBlob(_ bytes: UnsafeRawBufferPointer) {
  checkBlob(bytes, FuzzMixture.self)
  checkBlob(bytes, FuzzSingles.self)
  checkBlob(bytes, FuzzOptionals.self)
  checkBlob(bytes, FuzzLists.self)
  checkBlob(bytes, FuzzSets.self)
  checkProjection(bytes)
}

private func checkBlob<Shape: WireStruct>(_ bytes: UnsafeRawBufferPointer, _ type: Shape.Type) {
  guard let written = rewritten(Array(bytes), Shape.self) else { return }
  precondition(rewritten(written, Shape.self) == written, "what was read is not a fixed point")
  // The merge reads the same records without a field table. It must not change written bytes: they are canonical.
  precondition((try? Patch.none.merged(into: written)) == written, "what was written is not canonical")
  precondition((try? Patch.none.merged(into: Array(bytes))) != nil, "the merge refuses what the codec reads")
  // An app with an older schema, which knows none of the fields, loses nothing.
  guard let kept = rewritten(Array(bytes), FuzzNothing.self) else {
    preconditionFailure("an older schema refuses what a newer one reads")
  }
  precondition(rewritten(kept, Shape.self) == written, "an older schema changes what a newer one reads")
}

/// Reads a value from `bytes` and returns its canonical bytes. Nil if reading refuses them, which is allowed.
private func rewritten<Shape: WireStruct>(_ bytes: [UInt8], _ type: Shape.Type) -> [UInt8]? {
  var value = Shape.zero
  do throws(WireError) {
    try value.merge(bytes)
  } catch {
    return nil
  }
  do throws(WireError) {
    return try value.encoded()
  } catch {
    preconditionFailure("what was read cannot be written: \(error)")
  }
}

/// A projection must read the same values as a full read.
private func checkProjection(_ bytes: UnsafeRawBufferPointer) {
  var value = FuzzSingles.zero
  guard (try? value.merge(bytes)) != nil else {
    _ = try? FuzzKeys(scanning: bytes)
    return
  }
  guard let keys = try? FuzzKeys(scanning: bytes) else {
    preconditionFailure("a projection refuses what a full read takes")
  }
  precondition(
    keys.int64 == value.int64 && keys.time == value.time && keys.string == value.string,
    "a projection reads other values than a full read")
}
