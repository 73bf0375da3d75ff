// The expressions of a conversion between two types that needs no function of the app.
import ModelSchema

/// The expressions of a conversion without a function of the app.
struct ConvertedElement {
  let conversions: ConversionPrinter
  let source: FieldDeclaration
  let target: FieldDeclaration
  let kind: ElementConversion

  init(_ conversions: ConversionPrinter, _ conversion: Conversion) {
    self.conversions = conversions
    source = conversion.sources[0]
    target = conversion.targets[0]
    guard let kind = ElementConversion(from: source.type, to: target.type) else {
      preconditionFailure("the reader accepted types that need a function")
    }
    self.kind = kind
  }

  private var old: String { "self.\(conversions.accessor(source))" }
  private var stored: String { "self.\(conversions.storage(target))" }
  private var printer: SwiftPrinter { conversions.printer }

  var forward: String {
    let zero = printer.zeroText(target)
    switch (source.type.position, target.type.position) {
    case (.single, .single): return kind == .named ? "\(element(old)) ?? \(zero)" : element(old)
    case (.single, .optional): return element(old)
    case (.optional, .single): return "\(mapped) ?? \(zero)"
    case (.optional, .optional): return mapped
    case (_, .list): return "ModelSupport.FieldConversion.list(\(one), in: \(stored))"
    case (_, .set): return "ModelSupport.FieldConversion.set(\(stored), with: \(one))"
    default: preconditionFailure("the reader accepted a list for a single value")
    }
  }

  /// The one value that becomes many. A required field always has a value, so its zero stands for none.
  var one: String {
    source.type.position == .optional ? old : "\(old) == \(printer.zeroText(source)) ? nil : \(old)"
  }

  /// A case without the text's name may be one of a newer schema, whose number is stored.
  private func element(_ value: String) -> String {
    switch kind {
    case .same: value
    case .widened, .fraction, .precise: "\(printer.baseText(target.type.base))(\(value))"
    case .named: "ModelSupport.FieldConversion.named(\(value), or: \(stored))"
    }
  }

  private var mapped: String {
    switch kind {
    case .same: old
    case .named: "\(old).flatMap { \(element("$0")) }"
    default: "\(old).map { \(element("$0")) }"
    }
  }

  func back(_ value: String, isPresent: Bool) -> String {
    let zero = printer.zeroText(source)
    if target.type.position.isMany { return "\(value).first" + (source.type.position == .single ? " ?? \(zero)" : "") }
    var (text, isOptional) = (formerElement(value), kind == .named)
    if target.type.position == .optional, !isPresent {
      isOptional = true
      if kind != .same {
        text = "\(value).\(kind == .named ? "flatMap" : "map") { \(formerElement("$0")) }"
      } else {
        text = value
      }
    }
    return text + (isOptional && source.type.position == .single ? " ?? \(zero)" : "")
  }

  private func formerElement(_ value: String) -> String {
    let type = printer.baseText(source.type.base)
    return switch kind {
    case .same: value
    case .widened: "\(type)(clamping: \(value))"
    case .fraction: "ModelSupport.FieldConversion.whole(\(value)) as \(type)"
    case .precise: "\(type)(\(value))"
    case .named: "ModelSupport.FieldConversion.name(of: \(value))"
    }
  }
}
