// Finds what has changed since the releases of a lock: walks the tree of facts, a file a kind of thing.

/// A change that was found, and the thing that it is about.
struct FoundChange: Hashable {
  var rule: ChangeRule
  /// The key of the thing: `model photo field 3`.
  var subject: String
  /// The part of it that has changed, as a key of the schema file: `queue`; nil for the thing itself.
  var part: String?
  var message: String
  /// The name that the thing had, for the remedy.
  var old: String?
  /// A number that nothing has or had, for the remedy.
  var free: Int?

  /// The rule's remedy with the names and numbers of this thing.
  var remedy: String {
    let number = subject.split(separator: " ").last.map(String.init) ?? ""
    return rule.remedy.replacing("OLD", with: old ?? "OLD").replacing("NUMBER", with: number)
      .replacing("FREE", with: free.map { "\($0)" } ?? "one that was never used")
  }
}

/// The walk over the tree. What the newest release says was judged when it was released; what differs from it is
/// judged against every release.
struct ChangeFinder {
  let root: FactNode
  let answers: AuthorAnswers
  var found: [FoundChange] = []
  /// Whether any struct or enum is not as in the newest release.
  private(set) var changesTypes = false
  /// The structs that are being held against their replacements: one may contain itself.
  var comparing: Set<Substring> = []

  init(_ root: FactNode, _ answers: AuthorAnswers) {
    self.root = root
    self.answers = answers
    let homes = [root] + (root.children["model"] ?? [:]).values
    changesTypes = homes.contains { home in
      ["struct", "enum"].contains { (home.children[$0] ?? [:]).values.contains(where: \.differs) }
    }
  }

  mutating func check() {
    for (name, model) in root.children("model") { check(model: model, "model \(name)") }
    checkTypes(of: root, "")
  }

  mutating func report(
    _ rule: ChangeRule, _ subject: String, part: String? = nil, old: String? = nil, free: Int? = nil,
    _ message: String
  ) {
    found.append(FoundChange(rule: rule, subject: subject, part: part, message: message, old: old, free: free))
  }
}

/// What the author of the schema says about former names and removed things.
struct AuthorAnswers {
  /// `was:` by the key of the thing.
  private(set) var was: [String: String] = [:]
  /// `reserved:` by the key of the model, struct or enum.
  private(set) var reserved: [String: ReservedFields] = [:]
  private(set) var reservedModels: Set<String> = []
  /// Pairs of a rule and a thing.
  private var waivers: Set<[String]> = []

  init(_ schema: Schema) {
    reservedModels = Set(schema.reservedModels)
    waivers = Set(schema.waivers.map { [$0.rule, $0.at] })
    for file in schema.files {
      let home = file.model.map { "model \($0.wireName)" }
      if let model = file.model, let home { add(model.fields, model.reserved, home) }
      let prefix = home.map { $0 + " " } ?? ""
      for type in file.structs { add(type.fields, type.reserved, "\(prefix)struct \(type.lockName)") }
      for type in file.enums {
        let key = "\(prefix)enum \(type.lockName)"
        reserved[key] = type.reserved
        for one in type.cases { was["\(key) case \(one.number)"] = one.was }
      }
    }
  }

  /// Whether a change is permitted. Then what lies behind it is looked at too: a waiver hides nothing else.
  func permit(_ rule: ChangeRule, at subject: String) -> Bool { waivers.contains([rule.id, subject]) }

  private mutating func add(_ fields: [FieldDeclaration], _ names: ReservedFields, _ key: String) {
    reserved[key] = names
    for field in fields { was["\(key) field \(field.tag)"] = field.was }
  }
}

extension [ReleasedValue] {
  /// `string` in 1.0 to 1.2
  var shown: String { map { "`\($0.value)` in \($0.releases)" }.joined(separator: " and ") }
}
