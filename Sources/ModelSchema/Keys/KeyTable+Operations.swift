// The keys of operations, of their effects, and of access.

extension KeyTable {
  static let access = KeyTable([
    SchemaKey("create", "Who may create objects. user(author): only in the own name.", .right),
    SchemaKey("update", "Who may change objects.", .right),
    SchemaKey("delete", "Who may delete objects. Where the object is the queue, that is owner.", .right),
    SchemaKey("fields", "Who may change single fields; the others follow update.", .entries(.right)),
    SchemaKey("members", "Who may change the members, where the object is the queue.", .mapping(.members)),
  ])

  /// The keys of `members:`.
  static let members = KeyTable([
    SchemaKey("invite", "Who may take others in, up to their own role; writer if absent.", .right),
    SchemaKey("role", "Who may give members another role; owner if absent.", .right),
    SchemaKey("remove", "Who may take members out; owner if absent.", .right),
    SchemaKey("creator", "Who may do the last two to the creator of the queue; nobody if absent.", .right),
  ])

  /// The keys of `follow:` in its long form.
  static let followed = KeyTable([.user, SchemaKey("role", "The role; writer if absent.", .role)])

  /// The keys of `role:`.
  static let given = KeyTable([.user, SchemaKey("role", "The new role.", .role, isRequired: true)])
}

extension SchemaKey {
  static let parameters = SchemaKey(
    "parameters", "What the caller gives: NAME: TYPE. Effects use it as $NAME.", .entries(.type))
  static let requires = SchemaKey(
    "requires", "uploaded(PATH): the operation waits until this file has been uploaded.",
    .oneOrMore(.expression(#"^uploaded\s*\("#)))

  static let set = effect(
    "set", "Gives fields a value: FIELD: VALUE. A value is a literal, $PARAMETER, $me, $now or a path.")
  static let clear = SchemaKey(
    "clear", "Makes fields nil, empty, or their default.", .oneOrMore(.name))
  static let insert = effect("insert", "Puts elements into sets: FIELD: VALUE.")
  static let remove = effect("remove", "Takes elements out of sets: FIELD: VALUE.")
  static let increment = effect("increment", "Adds to counters: FIELD: NUMBER.")
  static let raise = effect("raise", "Sets numbers and times that are larger than the present ones: FIELD: VALUE.")
  static let lower = effect("lower", "Sets numbers and times that are smaller than the present ones: FIELD: VALUE.")
  static let create = creation("create", "Makes objects: MODEL: { FIELD: VALUE }.")
  static let upsert = creation(
    "upsert", "Makes objects, or changes those of the same identity: MODEL: { FIELD: VALUE }.")
  static let delete = SchemaKey("delete", "Deletes the object.", .yes)
  static let follow = SchemaKey(
    "follow", "Makes users members of the queue: VALUE, or { user: VALUE, role: ROLE }.",
    .either([.text, .mapping(.followed)]))
  static let role = SchemaKey("role", "Gives members another role: { user: VALUE, role: ROLE }.", .mapping(.given))
  static let unfollow = SchemaKey("unfollow", "Ends the membership of users.", .text)

  fileprivate static let user = SchemaKey("user", "The user, or several.", .text, isRequired: true)

  private static func effect(_ name: String, _ doc: String) -> SchemaKey { SchemaKey(name, doc, .entries(.text)) }

  private static func creation(_ name: String, _ doc: String) -> SchemaKey {
    SchemaKey(name, doc, .entries(.entries(.text, mayBeEmpty: true)))
  }
}

extension KeyValue {
  fileprivate static let right = oneOrMore(
    .expression(
      #"^(owner|writer|reader|creator|nobody|(user|reader)\s*\(\s*\#(namePattern)(\.\#(namePattern))?\s*\))$"#,
      examples: RightHolder.words + ["nobody", "user(author)"]))
  fileprivate static let role = words(MemberRole.allCases.map(\.rawValue))
}
