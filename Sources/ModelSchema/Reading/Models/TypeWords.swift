// Suggests a type for the name that another language gives it, which newcomers write first.

enum TypeWords {
  /// The type that `word` most likely means: one whose name differs by case only, one that other languages call so, or
  /// else the one with the fewest edits.
  static func suggestion(for word: String, declared: [String]) -> String? {
    let lowercased = word.lowercased()
    let known = known(declared)
    return known.first { $0.lowercased() == lowercased } ?? synonyms[lowercased]
      ?? Suggestion.nearest(to: word, among: known)
  }

  /// Whether a suggestion is a misspelt type. What another language means by a word is for the author to say: a number
  /// may be a `double`.
  static func isCertain(_ suggestion: String?, for word: String, declared: [String]) -> Bool {
    synonyms[word.lowercased()] == nil && Suggestion.isCertain(suggestion, for: word, among: known(declared))
  }

  private static func known(_ declared: [String]) -> [String] {
    BaseType.builtIns.keys.sorted() + ["list", "ref", "set"] + declared
  }

  /// Our type for each word; keys are in lower case.
  private static let synonyms: [String: String] = {
    let groups: [(type: String, words: [String])] = [
      ("bool", ["boolean", "flag", "bit"]),
      ("int32", ["int8", "int16", "short", "byte", "sint32", "sfixed32", "smallint", "i32"]),
      ("int64", ["int", "integer", "long", "bigint", "number", "sint64", "sfixed64", "i64"]),
      ("uint32", ["uint8", "uint16", "fixed32", "u32"]),
      ("uint64", ["uint", "unsigned", "fixed64", "u64"]),
      ("float", ["float32", "f32"]),
      ("double", ["float64", "real", "f64"]),
      ("string", ["text", "str", "char", "character", "varchar", "url", "uri", "email"]),
      ("data", ["bytes", "blob", "binary", "buffer"]),
      ("uuid", ["guid", "id"]),
      ("timestamp", ["date", "datetime", "time", "instant", "timestamptz"]),
      ("file", ["attachment", "asset", "image", "video"]),
      ("ref", ["reference", "relation", "link"]),
      ("list", ["array", "vector", "sequence", "repeated"]),
      ("set", ["hashset", "orderedset"]),
    ]
    let pairs = groups.flatMap { group in group.words.map { ($0, group.type) } }
    return Dictionary(pairs) { first, _ in first }
  }()
}
