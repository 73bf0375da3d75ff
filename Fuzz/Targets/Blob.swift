// The fuzz target of the blob reader: any bytes give a value or an error, and a value's bytes are a fixed point.

import WireFormat

/// A struct with a field of each way in which the engine reads.
struct FuzzStruct: WireStruct {
  var flag = false
  var number: Int64?
  var text = ""
  var id = ObjectID<Int>.zero
  var numbers: [Int32] = []
  var texts: [String] = []
  var tags: SortedSet<String> = []
  var ids: SortedSet<ObjectID<Int>> = []
  var children: [FuzzStruct] = []
  var bytes: [UInt8]?
  var counter: Int64 = 0
  var fraction: Double = 0
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }
  static let fieldTable = FieldTable(
    "fuzz", unknownFields: \Self.unknownFields,
    Field(1, "flag", \Self.flag), Field(2, "number", \Self.number), Field(3, "text", \Self.text),
    Field(4, "id", \Self.id), Field(5, "numbers", \Self.numbers), Field(6, "texts", \Self.texts),
    Field(7, "tags", \Self.tags), Field(8, "ids", \Self.ids), Field(9, "children", \Self.children),
    Field(10, "bytes", \Self.bytes), Field(11, "counter", counter: \Self.counter),
    Field(500, "fraction", \Self.fraction)
  )
}

public func fuzzBlob(_ bytes: UnsafeRawBufferPointer) {
  var value = FuzzStruct.zero
  do throws(WireError) {
    try value.merge(bytes)
    let written = try value.encoded()
    var again = FuzzStruct.zero
    try again.merge(written)
    let rewritten = try again.encoded()
    precondition(rewritten == written, "what was read is not a fixed point")
  } catch {
    // Refusing is an answer.
  }
}
