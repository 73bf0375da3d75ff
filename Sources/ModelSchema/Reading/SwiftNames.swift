// Swift names of types: how they come about, whether they clash, whether they are ambiguous at a use.

enum SwiftNames {
  /// `photo` becomes `Photo`.
  static func capitalised(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Checks the types that stand at top level: models and shared types.
  static func check(_ files: [DeclaredFile], schemaName: String, _ findings: Findings) {
    var taken: [String: Spelled] = [:]
    for name in files.flatMap(\.topLevelSwiftNames) {
      if let first = taken[name.text] {
        // Equal stems have been reported as equal names.
        guard first.range != name.range else { continue }
        findings.report(
          .duplicateSwiftName, "Two types are called `\(name.text)` in Swift; `swiftName:` gives one another name.",
          at: name.range, related: [.init(message: "The other one is here.", location: first.range)])
        continue
      }
      taken[name.text] = name
      if name.text == schemaName + "Schema" {
        findings.report(.duplicateSwiftName, "`\(name.text)` is the name of the generated registry.", at: name.range)
      } else if ambiguous.contains(name.text) {
        findings.report(
          .nameAmbiguous,
          "`\(name.text)` is also a type of Swift, Foundation or SwiftUI; `swiftName:` gives it another name.",
          at: name.range)
      }
    }
  }

  private static let ambiguous: Set<String> = [
    // Swift
    "Any", "AnyObject", "Array", "Bool", "Character", "Codable", "Collection", "Comparable", "Dictionary", "Double",
    "Duration", "Encoder", "Decoder", "Equatable", "Error", "Float", "Hashable", "Identifiable", "Int", "Iterator",
    "KeyPath", "Mirror", "Never", "Optional", "Range", "Result", "Sendable", "Sequence", "Set", "String", "Substring",
    "Task", "TaskGroup", "Actor", "Clock", "Instant", "Regex", "Type", "Protocol", "Self",
    // Foundation
    "Bundle", "Calendar", "Data", "Date", "DateInterval", "Decimal", "Dimension", "FileManager", "Formatter", "Host",
    "IndexPath", "IndexSet", "Locale", "Measurement", "Notification", "Operation", "Pipe", "Port", "Process",
    "Progress", "Scanner", "Stream", "Thread", "TimeZone", "Timer", "Unit", "URL", "UUID", "Predicate",
    "SortDescriptor",
    // SwiftUI
    "Alert", "Alignment", "Angle", "Animation", "App", "Binding", "Button", "Canvas", "Capsule", "Circle",
    "Color", "Divider", "Edge", "Ellipse", "Environment", "Font", "Form", "Gauge", "Gesture", "Grid",
    "Group", "Image", "Label", "Layout", "Link", "List", "Menu", "Map", "Namespace", "Path", "Picker", "Preview",
    "Rectangle", "Scene", "Section", "Settings", "Shape", "Slider", "Spacer", "State", "Stepper", "Tab", "Table",
    "Text",
    "Toggle", "Transaction", "Transition", "View", "Window",
    // What a generated file imports or is made of
    "Model", "ObjectID", "QueueID", "UserID", "FieldTable", "Field", "FileReference", "Timestamp", "SortedSet", "Swift",
    "ModelRuntime",
  ]
}
