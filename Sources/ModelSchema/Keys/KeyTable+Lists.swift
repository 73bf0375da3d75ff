// The keys of lists.

extension KeyTable {
  static let list = KeyTable([
    .doc,
    SchemaKey(
      "per", "A field or $creator: one list for each of its values.",
      .word("^(\(KeyValue.namePattern)|\(KeyValue.systemPattern))$")),
    SchemaKey(
      "where", "Conditions that must all hold, such as hidden == false. A term { any: [...] } needs one of its own.",
      .oneOrMore(.either([.text, .mapping(.anyTerm)]))),
    SchemaKey(
      "section", "Divides the list: day(f), week(f), month(f), year(f), gap(f 6h), value(f) or initial(f).",
      .expression(#"^(\#(SectionReader.functions.joined(separator: "|")))\s*\("#)),
    SchemaKey(
      "order", "FIELD or FIELD descending, one or several, also $created and $updated. Ids break ties.",
      .oneOrMore(.word(#"^\#(KeyValue.listPathPattern)(\s+descending)?$"#))),
    SchemaKey("distinct", "A field: of the objects with one value only the first is in the list.", .listPath),
    SchemaKey("keepEmpty", "true: there is a section for each case of the enum in section: value(f).", .flag),
    SchemaKey("limit", "Only this many objects, the first ones, are in the list.", .number(ListReader.limits)),
  ])

  /// The key of a term of `where:` that is no single condition.
  static let anyTerm = KeyTable([
    SchemaKey("any", "Two or more conditions, of which at least one must hold.", .list(.text), isRequired: true)
  ])
}
