// Reads `queue:`, the partition that objects are born in.

struct QueueReader: PartReader {
  /// The models with `queue: self`.
  let ownQueues: Set<String>
  let findings: Findings

  static func saysSelf(_ file: FileOutline) -> Bool {
    file.parts["queue"]?.value.text == "self"
  }

  /// The only queue of an ephemeral model.
  private static let shown = "a required `ref(M)` to a model with `queue: self`"

  /// Reports a mistake and returns nil; also nil where the type of the queue field is unknown.
  func read(_ file: DeclaredFile) -> QueuePlacement? {
    let isEphemeral = file.outline.parts["ephemeral"].map { $0.value.text != "false" } ?? false
    guard let node = file.outline.parts["queue"]?.value else {
      findings.report(
        .missingKey,
        "The model has no `queue:`; it is "
          + (isEphemeral ? "a field, \(Self.shown)." : "`self`, `device`, or a field."),
        at: file.outline.model?.range ?? .start(of: file.outline.path))
      return nil
    }
    guard let text = kinds.text(of: node, "`queue:`") else { return nil }
    let named = file.fields.first { $0.name.text == text.text }
    if text.text == "self" || text.text == "device" {
      if let named, let type = named.type, type.position == .single, type.base.isReference {
        findings.report(
          .queuePlacement, "`\(text.text)` has a meaning of its own here: give the field another name.",
          at: text.range, related: [.init(message: "The field is here.", location: named.name.range)])
      }
      return text.text == "self" ? .own : .device
    }
    guard let field = named else {
      if text.text.hasPrefix("ref("), let target = text.text.dropFirst(4).split(separator: ")").first {
        findings.report(
          .queuePlacement,
          "`queue:` names a field: declare `\(target): ref(\(target)) = TAG` below `fields:`, and say `queue: \(target)`.",
          at: text.range)
        return nil
      }
      let words = isEphemeral ? [] : ["self", "device"]
      findings.report(
        .queuePlacement,
        "`queue:` is "
          + (isEphemeral ? "a field of the model, \(Self.shown)" : "`self`, `device`, or a field of the model")
          + "; there is no field `\(text.text)`.",
        at: text.range, nearestTo: text.text, among: words + file.fields.map(\.name.text))
      return nil
    }
    guard let type = field.type else { return nil }
    return placement(field, type, text)
  }

  private func placement(_ field: DeclaredField, _ type: FieldType, _ text: Spelled) -> QueuePlacement? {
    let note = Diagnostic.Note(message: "The field is here.", location: field.typeRange)
    switch (type.base, type.position) {
    case (.userReference, .single): return .home(text.text)
    case (.reference(let target), .single):
      if ownQueues.contains(target) { return .field(text.text) }
      findings.report(
        .queuePlacement, "`\(target)` is not a queue: it does not say `queue: self`.", at: text.range, related: [note])
    default:
      findings.report(
        .queuePlacement, "The queue is named by a required ref, not by a field of the type \(type.shown).",
        at: text.range, related: [note])
    }
    return nil
  }
}

extension BaseType {
  fileprivate var isReference: Bool {
    switch self {
    case .reference, .userReference: true
    default: false
    }
  }
}
