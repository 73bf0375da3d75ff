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
  public static let all: [ChangeRule] = [
    schemaRenamed, modelAdded, modelRenamed, modelRemoved, modelRetired, modelReturned, queueChanged, ephemeralChanged,
    identityChanged, newestByChanged,
    fieldAdded, requiredFieldAdded, fieldRenamed, fieldReplaced, fieldMoved, fieldRemoved, fieldRetired,
    requiredFieldRetired, fieldReturned, fieldType, fieldTypeReplaced, fieldOptional, fieldRequired,
    fieldRequiredWithoutDefault, defaultChanged, fieldConverted, conversionChanged,
    typeAdded, typeRenamed, typeRemoved, caseAdded, caseRenamed, caseReplaced, caseMoved, caseRemoved, caseRetired,
    caseReturned,
    operationAdded, operationRenamed, operationRemoved, operationChanged, parameterAdded, requiredParameterAdded,
    parameterRenamed, parameterMoved, parameterRemoved, parameterWidened, parameterType,
    accessNarrowed, accessWidened,
    listAdded, listRemoved, listChanged, viewAdded, viewRemoved, viewChanged,
  ]

  static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

  init(
    _ id: String, _ severity: ChangeSeverity, _ breaks: [Breakage], _ change: String, _ remedy: String = ""
  ) {
    self.id = id
    self.severity = severity
    self.breaks = breaks
    self.change = change
    self.remedy = remedy
  }
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
