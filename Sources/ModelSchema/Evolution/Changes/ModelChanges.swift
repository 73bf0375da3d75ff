// Changes of models: names, queues, identity, rights, and the parts behind them.

extension ChangeFinder {
  mutating func check(model: FactNode, _ subject: String) {
    let name = model.now("name") ?? String(subject.dropFirst("model ".count))
    guard model.isPresent else {
      if model.isInNewest { reportGone(model, subject) }
      return
    }
    guard model.wasReleased else { return checkNew(model, subject, name) }
    if !model.isInNewest {
      report(.modelReturned, subject, "The model `\(name)` was removed, and is back.")
    } else if let before = model.newest("name"), before != name {
      report(.modelRenamed, subject, "The model `\(before)` is called `\(name)` now.")
    }
    checkPlacement(model, subject, name)
    checkFields(of: model, subject)
    checkTypes(of: model, subject + " ")
    checkAccess(model, subject, name)
    for (name, operation) in model.children("operation") { check(operation: operation, "\(subject) operation \(name)") }
    for (name, list) in model.children("list") { check(list: list, "\(subject) list \(name)", name) }
    for (name, view) in model.children("view") { check(view: view, "\(subject) view \(name)", name) }
  }

  private mutating func reportGone(_ model: FactNode, _ subject: String) {
    let wireName = String(subject.dropFirst("model ".count))
    let name = model.newest("name") ?? wireName
    if answers.reservedModels.contains(name) || answers.reservedModels.contains(wireName) {
      return report(.modelRetired, subject, "The model `\(name)` was removed.")
    }
    report(.modelRemoved, subject, old: wireName, "The model `\(name)` was released, and is gone.")
  }

  /// A model under a name that another one had later would leave the objects of that one behind.
  private mutating func checkNew(_ model: FactNode, _ subject: String, _ name: String) {
    let was = subject.dropFirst("model ".count)
    let other = root.children("model").first { $0.node.released("name").contains { $0.value == was } }
    guard was != name, let other else { return report(.modelAdded, subject, "The model `\(name)` is new.") }
    report(
      .modelRemoved, subject, old: other.name,
      "`was: \(was)` is not the first name of the model: its objects are stored as `\(other.name)`.")
  }

  private mutating func checkPlacement(_ model: FactNode, _ subject: String, _ name: String) {
    if let (now, before) = model.difference("queue") {
      report(
        .queueChanged, subject, part: "queue",
        "Objects of `\(name)` were in \(Self.queue(before, model)), and are in \(Self.queue(now, model)) now.")
    }
    if let (now, before) = model.difference("identity") {
      report(
        .identityChanged, subject, part: "identity",
        "Ids of `\(name)` are \(Self.identity(now, model)) now, and were \(Self.identity(before, model)).")
    }
    if let (now, before) = model.difference("newestBy") {
      let words = [now, before].map { $0.isEmpty ? "nothing" : Self.field($0, model) }
      report(
        .newestByChanged, subject, part: "newestBy", "`newestBy:` of `\(name)` is \(words[0]) now, and was \(words[1])."
      )
    }
  }

  private static func queue(_ value: String, _ model: FactNode) -> String {
    switch value {
    case "self": "a queue of their own"
    case "device": "no queue (`device`)"
    default: "the queue of \(field(value, model))"
    }
  }

  private static func identity(_ value: String, _ model: FactNode) -> String {
    value.isEmpty
      ? "random"
      : "derived from " + value.split(separator: " ").map { field(String($0), model) }.joined(separator: ", ")
  }

  /// A path of tags for people: `file.1` of the field 3.
  private static func field(_ path: String, _ model: FactNode) -> String {
    let tags = path.split(separator: ".", maxSplits: 1)
    guard let tag = tags.first, let field = model.children["field"]?[tag],
      let name = field.now("name") ?? field.released("name").last?.value
    else { return "`\(path)`" }
    return "`\(name)`" + (tags.count > 1 ? " (`\(path)`)" : "")
  }
}

extension FactNode {
  /// The values of an attribute today and in the newest release that has the thing, where they differ; an absent one is
  /// empty.
  func difference(_ attribute: Substring) -> (now: String, before: String)? {
    let before = isInNewest ? newest(attribute) : released(attribute).last?.value
    let (now, last) = (now(attribute) ?? "", before ?? "")
    return wasReleased && now != last ? (now, last) : nil
  }
}

extension ChangeFinder {
  // MARK: - Rights

  private mutating func checkAccess(_ model: FactNode, _ subject: String, _ name: String) {
    let attributes = model.facts.keys.filter { $0.hasPrefix("access ") }
    let sorted = attributes.sorted(byKey: \.self)
    for attribute in sorted where model.isInNewest {
      // A field without a right of its own follows `update`.
      let other: Substring = attribute.hasPrefix("access field ") ? "access update" : attribute
      guard let now = model.now(attribute) ?? model.now(other),
        let before = model.newest(attribute) ?? model.newest(other), now != before
      else { continue }
      let (new, old) = (Rights(now), Rights(before))
      let what = Self.right(attribute, model, name)
      if !new.covers(old) {
        report(.accessNarrowed, subject, part: "access", "\(what) takes \(new.shown) now, and took \(old.shown).")
      }
      if !old.covers(new) {
        report(.accessWidened, subject, part: "access", "\(what) takes \(new.shown) now, and took \(old.shown).")
      }
    }
  }

  private static func right(_ attribute: Substring, _ model: FactNode, _ name: String) -> String {
    let words = attribute.split(separator: " ")
    return words.count == 3
      ? "Changing \(field(String(words[2]), model)) of `\(name)`" : "The right to \(words[1]) `\(name)` objects"
  }
}

/// The holders of a right: members from a role on, and maybe the creator.
private struct Rights {
  /// 0 for every member, 3 for no member.
  private var lowest = 3
  private var creator = false
  let shown: String

  private static let roles: [Substring] = ["reader", "writer", "owner"]

  init(_ text: String) {
    for word in text.split(separator: " ") {
      if let role = Self.roles.firstIndex(of: word) { lowest = min(lowest, role) } else { creator = true }
    }
    shown = text.split(separator: " ").map { "`\($0)`" }.joined(separator: " or ")
  }

  /// Whether everyone who has the other right has this one. A creator may have lost the role since.
  func covers(_ other: Rights) -> Bool { lowest <= other.lowest && (creator || lowest == 0 || !other.creator) }
}
