// A row of the table of changes: what it breaks, and how to do the same safely.

/// A kind of change between a released schema and the schema of today.
public struct ChangeRule: Hashable, Sendable {
  /// The name in messages and waivers, for example `field-type`.
  public var id: String
  public var severity: ChangeSeverity
  public var breaks: [Breakage]
  /// One sentence on what has changed.
  public var change: String
  /// How to reach the same safely; empty for a safe change.
  public var remedy: String

  /// Every rule, in the order of the documentation.
  public static let all: [ChangeRule] = ChangeTable.groups.flatMap(\.rules)
}

/// How much a change harms apps and data that are in use.
public enum ChangeSeverity: String, Hashable, Sendable {
  /// Data is lost or misread, or an app that is in use stops working. `generate` refuses it without a waiver.
  case breaking
  /// Nothing is lost, but apps of different versions show or do different things.
  case risky
  case safe
}

/// What a change breaks.
public enum Breakage: String, Hashable, Sendable {
  /// The bytes of objects are misread, or read as absent.
  case bytes
  /// Derived ids differ, so that one thing becomes two objects.
  case ids
  /// Operations in outboxes, or reports of those that failed, mean something else.
  case pendingOperations = "pending operations"
  /// Stores on devices do not open.
  case stores
  /// Swift code that uses the generated types has to change.
  case swift = "Swift source"
  /// The generated GraphQL and `.proto` for other platforms change.
  case otherPlatforms = "other platforms"
  /// Users may do more or less than before.
  case access
}

extension ChangeRule {
  /// The rules as code names them.
  enum ID: String, CaseIterable, Sendable {
    case schemaRenamed = "schema-renamed"
    case modelAdded = "model-added"
    case modelRenamed = "model-renamed"
    case modelRemoved = "model-removed"
    case modelRetired = "model-retired"
    case modelReturned = "model-returned"
    case queueChanged = "queue-changed"
    case identityChanged = "identity-changed"
    case newestByChanged = "newest-by-changed"
    case fieldAdded = "field-added"
    case requiredFieldAdded = "required-field-added"
    case fieldRenamed = "field-renamed"
    case fieldReplaced = "field-replaced"
    case fieldMoved = "field-moved"
    case fieldRemoved = "field-removed"
    case fieldRetired = "field-retired"
    case requiredFieldRetired = "required-field-retired"
    case fieldReturned = "field-returned"
    case fieldType = "field-type"
    case fieldTypeReplaced = "field-type-replaced"
    case fieldOptional = "field-optional"
    case fieldRequired = "field-required"
    case fieldRequiredWithoutDefault = "field-required-without-default"
    case defaultChanged = "default-changed"
    case fieldConverted = "field-converted"
    case conversionChanged = "conversion-changed"
    case typeAdded = "type-added"
    case typeRenamed = "type-renamed"
    case typeRemoved = "type-removed"
    case caseAdded = "case-added"
    case caseRenamed = "case-renamed"
    case caseReplaced = "case-replaced"
    case caseMoved = "case-moved"
    case caseRemoved = "case-removed"
    case caseRetired = "case-retired"
    case caseReturned = "case-returned"
    case operationAdded = "operation-added"
    case operationRenamed = "operation-renamed"
    case operationRemoved = "operation-removed"
    case operationChanged = "operation-changed"
    case parameterAdded = "parameter-added"
    case requiredParameterAdded = "required-parameter-added"
    case parameterRenamed = "parameter-renamed"
    case parameterMoved = "parameter-moved"
    case parameterRemoved = "parameter-removed"
    case parameterWidened = "parameter-widened"
    case parameterType = "parameter-type"
    case accessNarrowed = "access-narrowed"
    case accessWidened = "access-widened"
    case listAdded = "list-added"
    case listRemoved = "list-removed"
    case listChanged = "list-changed"
    case viewAdded = "view-added"
    case viewRemoved = "view-removed"
    case viewChanged = "view-changed"
  }
}
