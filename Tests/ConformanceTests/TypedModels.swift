// The fields of the type matrix, for random edits of every type at every position.
import ModelSupport
import TypeMatrix

/// A model whose fields the typed laws edit.
protocol TypedModel: SeededModel {
  static var typedFields: [TypedField<Self>] { get }
  /// Tags of queue and identity fields, which no edit may change.
  static var fixedTags: [Int] { get }
}

extension TypedModel {
  static var fixedTags: [Int] { [] }
}

extension EverySingle: TypedModel {
  static var typedFields: [TypedField<Self>] {
    [
      .whole(1, \.aBool), .whole(2, \.aInt32), .whole(3, \.aInt64), .whole(4, \.aUint32), .whole(5, \.aUint64),
      .whole(6, \.aFloat), .whole(7, \.aDouble), .whole(8, \.aString), .whole(9, \.aData), .whole(10, \.aUuid),
      .whole(11, \.aTimestamp), .whole(12, \.aFile), .whole(13, \.aUser), .whole(14, \.aOther), .whole(15, \.aColor),
      .whole(16, \.aPoint), .counter(17, \.aCounter),
    ]
  }
}

extension EveryOptional: TypedModel {
  static var typedFields: [TypedField<Self>] {
    [
      .whole(1, \.aBool), .whole(2, \.aInt32), .whole(3, \.aInt64), .whole(4, \.aUint32), .whole(5, \.aUint64),
      .whole(6, \.aFloat), .whole(7, \.aDouble), .whole(8, \.aString), .whole(9, \.aData), .whole(10, \.aUuid),
      .whole(11, \.aTimestamp), .whole(12, \.aFile), .whole(13, \.aUser), .whole(14, \.aOther), .whole(15, \.aColor),
      .whole(16, \.aPoint),
    ]
  }
}

extension EveryList: TypedModel {
  static var typedFields: [TypedField<Self>] {
    [
      .whole(1, \.aBool), .whole(2, \.aInt32), .whole(3, \.aInt64), .whole(4, \.aUint32), .whole(5, \.aUint64),
      .whole(6, \.aFloat), .whole(7, \.aDouble), .whole(8, \.aString), .whole(9, \.aData), .whole(10, \.aUuid),
      .whole(11, \.aTimestamp), .whole(12, \.aFile), .whole(13, \.aUser), .whole(14, \.aOther), .whole(15, \.aColor),
      .whole(16, \.aPoint),
    ]
  }
}

extension EverySet: TypedModel {
  static var typedFields: [TypedField<Self>] {
    [
      .set(1, \.aInt32), .set(2, \.aInt64), .set(3, \.aUint32), .set(4, \.aUint64), .set(5, \.aString),
      .set(6, \.aData), .set(7, \.aUuid), .set(8, \.aTimestamp), .set(9, \.aUser), .set(10, \.aOther),
      .set(11, \.aColor),
    ]
  }
}

extension InStruct: TypedModel {
  static var fixedTags: [Int] { [1] }
  static var typedFields: [TypedField<Self>] {
    [.whole(2, \.whole), .whole(3, \.maybe), .whole(4, \.many), .whole(5, \.trees)]
  }
}

extension Homeward: TypedModel {
  static var fixedTags: [Int] { [1, 2] }
  static var typedFields: [TypedField<Self>] { [.counter(3, \.count), .whole(4, \.seen)] }
}
