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
    let isOther = reportEphemeral(model, subject, name)
    if !isOther { checkPlacement(model, subject, name) }
    checkFields(of: model, subject)
    checkTypes(of: model, subject + " ")
    // All that follows is of stored objects.
    if isOther { return }
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

  /// Reports a model that was stored and is ephemeral now, or the other way round. Returns whether it is one.
  private mutating func reportEphemeral(_ model: FactNode, _ subject: String, _ name: String) -> Bool {
    guard let (now, _) = model.difference("ephemeral") else { return false }
    let words = now.isEmpty ? "is stored now, and was ephemeral" : "is ephemeral now, and was stored"
    report(.ephemeralChanged, subject, part: "ephemeral", "`\(name)` \(words).")
    return true
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
      guard let now = Self.right(attribute, model.now), let before = Self.right(attribute, model.newest), now != before
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

  /// A right as facts have it; nil if nothing is known of it. A field without a right of its own follows `update`.
  private static func right(_ attribute: Substring, _ fact: (Substring) -> String?) -> String? {
    if let right = fact(attribute) { return right }
    if attribute.hasPrefix("access field ") { return fact("access update") }
    guard attribute.hasPrefix("access members ") else { return nil }
    return switch attribute.split(separator: " ").last {
    case "invite": "writer"
    case "creator": "nobody"
    default: "owner"
    }
  }

  private static func right(_ attribute: Substring, _ model: FactNode, _ name: String) -> String {
    let words = attribute.split(separator: " ")
    guard words.count == 3 else { return "The right to \(words[1]) `\(name)` objects" }
    return switch (words[1], words[2]) {
    case ("field", let tag): "Changing \(field(String(tag), model)) of `\(name)`"
    case (_, "invite"): "Taking members into a `\(name)`"
    case (_, "role"): "Giving roles in a `\(name)`"
    case (_, "remove"): "Taking members out of a `\(name)`"
    default: "Changing the membership of the creator of a `\(name)`"
    }
  }
}

/// The holders of a right, as facts have them: roles, `creator`, `user(2)`, `reader(2.1)`.
private struct Rights {
  private let words: [Substring]
  let shown: String

  init(_ text: String) {
    words = text == "nobody" ? [] : text.split(separator: " ")
    shown = text.split(separator: " ").map { "`\($0)`" }.joined(separator: " or ")
  }

  /// Whether everyone who has the other right has this one. A creator may have lost the role since.
  func covers(_ other: Rights) -> Bool {
    other.words.allSatisfy { word in words.contains { Self.covers($0, word) } }
  }

  private static func covers(_ one: Substring, _ other: Substring) -> Bool {
    switch one {
    case other, "reader": true
    case "writer": other == "owner" || other.hasPrefix("user(")
    default: one.hasPrefix("reader(") && other == "user(" + one.dropFirst("reader(".count)
    }
  }
}
