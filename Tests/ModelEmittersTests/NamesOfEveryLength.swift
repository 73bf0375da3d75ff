// A schema with every type in every position, and names of a given length. Other tools must accept what is made of it.
import ModelSchema

enum NamesOfEveryLength {
  /// Every name has `length` characters, from 1 to 64.
  static func schema(length: Int, access: AccessLevel = .public) -> Schema {
    let model = name("m", length)
    let other = name("o", length)
    let place = StructDeclaration.of(name("p", length), plainFields(length))
    let mood = EnumDeclaration.of(name("e", length), cases(length))
    let nested: [BaseType] = [
      .structure(TypeName(model: model, name: place.name)), .enumeration(TypeName(model: model, name: mood.name)),
      .reference(other),
    ]
    return Schema(
      name: raised(name("m", length)), access: access, output: "../Generated", fixtures: true,
      files: [
        .of(
          .of(model, fields(of: nested + scalars, length) + deprecated(length)), structs: [place], enums: [mood]),
        .of(
          .of(
            other, identityFields(model, length), queue: .field(name("q", length)),
            identity: [
              FieldPath([name("q", length)]), FieldPath([name("f", length), "hash"]), FieldPath([name("d", length)]),
            ])),
        .of(.of(name("h", length), [.of(name("u", length), .userReference)], queue: .home(name("u", length)))),
        .shared(name("s", length), structs: [.of(name("t", length), plainFields(length) + deprecated(length))]),
      ])
  }

  /// A name that is filled up with `a`. Names are told apart by their first letters.
  static func name(_ first: String, _ length: Int) -> String {
    first + String(repeating: "a", count: max(0, length - first.count))
  }

  /// The `index`th of the names that begin with letters which no other field begins with.
  private static func numbered(_ index: Int, _ length: Int) -> String {
    let letters = Array("abcdefghijmopqrstuvwyz")
    let first = index / letters.count == 0 ? "g" : "j"
    let second = index % letters.count
    return length < 2 ? String(letters[second]) : name("\(first)\(letters[second])", length)
  }

  private static let scalars: [BaseType] = [.int64, .string, .data, .timestamp, .userReference, .file]

  private static func fields(of bases: [BaseType], _ length: Int) -> [FieldDeclaration] {
    var fields: [FieldDeclaration] = []
    for base in bases {
      for position in [FieldPosition.single, .optional, .list, .set] where base.allows(position) {
        let index = fields.count
        if length < 2, index >= 20 { return fields }
        fields.append(
          .of(numbered(index, length), base, position, tag: index + 1, doc: "A field that says what it holds."))
      }
    }
    fields.append(.of(name("xc", max(length, 2)), .counter, tag: 536_870_911))
    return fields
  }

  private static func plainFields(_ length: Int) -> [FieldDeclaration] {
    [
      .of(name("x", length), .double, tag: 1), .of(name("y", length), .float, tag: 2, default: .double(0.1)),
      .of(name("z", length), .string, tag: 3, default: .string(String(repeating: "long ", count: length / 2))),
      .of(name("w", length), .enumeration(TypeName(model: name("m", length), name: name("e", length))), tag: 4),
      .of(
        name("v", length), .enumeration(TypeName(model: name("m", length), name: name("e", length))), tag: 5,
        default: .enumCase(name("c", length))),
      .of(name("u", length), .int64, tag: 19_000_000, default: .integer(.min)),
    ]
  }

  private static func deprecated(_ length: Int) -> [FieldDeclaration] {
    let reason = String(repeating: "Use another. ", count: length / 6)
    return [
      .of(name("k", length), .string, tag: 100_000, deprecated: ""),
      .of(name("l", length), .string, .set, tag: 100_001, deprecated: reason),
      .of(
        name("n", length), .structure(TypeName(model: name("m", length), name: name("p", length))), .list,
        tag: 1_000_002, deprecated: reason),
    ]
  }

  private static func identityFields(_ model: String, _ length: Int) -> [FieldDeclaration] {
    [
      .of(name("q", length), .reference(model), tag: 1), .of(name("f", length), .file, tag: 2),
      .of(name("d", length), .int64, tag: 536_870_911, deprecated: "Never read."),
    ]
  }

  private static func cases(_ length: Int) -> [EnumCase] {
    [
      EnumCase(name: name("a", length), number: 1), EnumCase(name: name("b", length), number: .max),
      EnumCase(name: name("c", length), number: -1_000_000, doc: "A case that says what it means."),
    ]
  }
}

extension BaseType {
  /// Whether a schema may use the type in this position. Sets hold only types whose bytes have an order.
  func allows(_ position: FieldPosition) -> Bool {
    switch self {
    case .structure, .file: position != .set
    default: true
    }
  }
}
