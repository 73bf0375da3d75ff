// The keys of mappings in schema files, as data: readers know them from here, and editors complete and explain them.

/// A key, the text that editors show for it, and the form of its value.
struct SchemaKey: Sendable {
  var name: String
  /// Plain sentences, without Markdown.
  var doc: String
  var value: KeyValue
  var isRequired = false
  /// False for a key that the language has and this version refuses.
  var isSupported = true

  init(_ name: String, _ doc: String, _ value: KeyValue, isRequired: Bool = false, isSupported: Bool = true) {
    self.name = name
    self.doc = doc
    self.value = value
    self.isRequired = isRequired
    self.isSupported = isSupported
  }
}

/// All keys of one kind of mapping, in the order in which messages list them.
struct KeyTable: Sendable {
  let keys: [SchemaKey]
  let names: [String]

  init(_ keys: [SchemaKey]) {
    self.keys = keys
    names = keys.map(\.name)
  }
}

/// The form of a value, as far as one file tells it. It accepts all that the readers accept, and some that they refuse.
indirect enum KeyValue: Sendable {
  /// A single value of any form: `true`, `3` and `null` are texts too.
  case text
  /// A single value that matches a pattern, and may be a word that YAML takes for something else: `true`, `null`.
  /// `examples` are what editors offer.
  case word(String, examples: [String] = [])
  /// A text that matches a pattern.
  case expression(String, examples: [String] = [])
  case flag
  /// Only `true`.
  case yes
  case number(ClosedRange<Int>)
  /// One of some words.
  case words([String])
  /// A list with at least one element.
  case list(KeyValue)
  /// A mapping with names for keys, and at least one of them unless it may be empty.
  case entries(KeyValue, mayBeEmpty: Bool = false)
  case mapping(KeyTable)
  /// A form with a name and a text of its own, which is written once.
  case named(String, doc: String, KeyValue)
  /// One of several forms of different kinds: single values, lists, mappings.
  case either([KeyValue])

  static func oneOrMore(_ value: KeyValue) -> KeyValue { .either([value, .list(value)]) }
}

/// The patterns of single values, as ECMA-262 writes them.
extension KeyValue {
  static let name = word("^\(namePattern)$")
  static let swiftName = word("^[A-Z][A-Za-z0-9]{0,63}$")
  static let path = word("^\(pathPattern)$")
  /// A path, or what the server notes of an object.
  static let listPath = word("^\(listPathPattern)$")

  static let type = word("^\(typePattern)$", examples: BaseType.builtIns.keys.sorted())
  /// `TYPE`, or `TYPE = TAG`.
  static let typeOfField = word(
    #"^\#(typePattern)(\s*=\s*[0-9]+)?$"#, examples: BaseType.builtIns.keys.sorted())
  static let typeAndTag = expression(
    #"^\#(typePattern)\s*=\s*[0-9]+$"#,
    examples: ["string = 1", "string? = 1", "bool = 1", "timestamp = 1", "list(string) = 1", "ref(user) = 1"])

  /// `20 to 29`.
  static let range = expression(#"^[-+]?[0-9]+\s+to\s*[-+]?[0-9]+$"#)

  static let namePattern = "[a-z][A-Za-z0-9]{0,63}"
  static let listPathPattern = "(\(pathPattern)|\(systemPattern))"
  static let systemPattern = #"\$("# + SystemField.allCases.map(\.word).joined(separator: "|") + ")"
  private static let pathPattern = #"\#(namePattern)(\.\#(namePattern))*"#
  private static let basePattern = #"(\#(namePattern)|ref\s*\(\s*\#(namePattern)\s*\))"#
  private static let typePattern = #"(\#(basePattern)(\s*\?)?|(list|set)\s*\(\s*\#(basePattern)\s*\))"#
}
