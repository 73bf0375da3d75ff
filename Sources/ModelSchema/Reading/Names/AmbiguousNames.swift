// Swift type names that a file of an app probably imports from elsewhere. A schema may use them, with a warning. Those
// of Swift, Foundation and Testing are what `swift symbolgraph-extract` prints of 6.3, without long names that no
// schema has.

enum AmbiguousNames {
  /// The library that has a type of this name; nil where we know of none.
  static func owner(of swiftName: String) -> String? {
    owners.first { $0.types.contains(swiftName) }?.name
  }

  static let owners: [(name: String, types: Set<String>)] = [
    (
      "Swift",
      [
        "Actor", "AdditiveArithmetic", "AnyObject", "Array", "AsyncStream", "AsyncThrowingStream",
        "BinaryFloatingPoint", "BinaryInteger", "BitwiseCopyable", "Bool", "CancellationError", "CaseIterable",
        "Character", "CheckedContinuation", "Clock", "ClosedRange", "Codable", "Collection", "CollectionDifference",
        "CollectionOfOne", "CommandLine", "Comparable", "ConcurrentValue", "ContiguousArray", "ContinuousClock",
        "Copyable", "Decodable", "Decoder", "DecodingError", "Dictionary", "DiscardingTaskGroup", "Double", "Duration",
        "Encodable", "Encoder", "EncodingError", "Equatable", "Error", "Escapable", "Executor", "ExecutorJob",
        "ExtendedGraphemeClusterType", "FixedWidthInteger", "Float", "Float16", "Float32", "Float64", "Float80",
        "FloatingPoint", "FloatingPointClassification", "FloatingPointRoundingRule", "FloatingPointSign", "GlobalActor",
        "Hashable", "Hasher", "Identifiable", "IndexableBase", "InlineArray", "Instant", "Int", "Int128", "Int16",
        "Int32", "Int64", "Int8", "Iterator", "IteratorOverOne", "Job", "JobPriority", "KeyPath", "KeyValuePairs",
        "MainActor", "MemoryLayout", "Mirror", "MirrorPath", "Never", "Numeric", "ObjectIdentifier", "OptionSet",
        "Optional", "OutputRawSpan", "OutputSpan", "PlaygroundQuickLook", "RandomNumberGenerator", "Range",
        "RangeExpression", "RangeSet", "RawSpan", "ReferenceWritableKeyPath", "Regex", "RegexComponent",
        "RegexRepetitionBehavior", "RegexSemanticLevel", "RegexWordBoundaryKind", "Repeated", "Result", "Sendable",
        "SendableMetatype", "Sequence", "SerialExecutor", "Set", "SetAlgebra", "SignedInteger", "SignedNumeric", "Span",
        "StaticString", "StrideThrough", "StrideTo", "Strideable", "String", "Substring", "SuspendingClock",
        "SystemRandomNumberGenerator", "Task", "TaskExecutor", "TaskGroup", "TaskLocal", "TaskPriority",
        "TextOutputStream", "TextOutputStreamable", "ThrowingDiscardingTaskGroup", "ThrowingTaskGroup", "UInt",
        "UInt128", "UInt16", "UInt32", "UInt64", "UInt8", "UnboundedRange", "Unicode", "UnicodeCodec",
        "UnicodeDecodingResult", "UnicodeScalar", "UnicodeScalarType", "UnownedJob", "UnownedSerialExecutor",
        "UnownedTaskExecutor", "UnsignedInteger", "Void", "WritableKeyPath",
      ]
    ),
    (
      "Foundation",
      [
        "AffineTransform", "AlignmentOptions", "AttributeDynamicLookup", "AttributedString",
        "AttributedStringAttributeMutation", "AttributedSubstring", "BlockOperation", "Bundle", "Calendar",
        "CharacterSet", "CocoaError", "ComparableComparator", "Comparator", "ComparisonResult", "ContiguousBytes",
        "Data", "Date", "DateComponents", "DateInterval", "Decimal", "DecodingConfigurationProviding", "Dimension",
        "DiscontiguousAttributedSubstring", "EncodingConfigurationProviding", "Expression", "FileAttributeType",
        "FileHandle", "FileManager", "FileProtectionType", "FormatStyleCapitalizationContext", "Formatter", "Host",
        "IndexPath", "IndexSet", "InflectionRule", "InputStream", "JSONDecoder", "JSONEncoder", "JSONSerialization",
        "KeyPathComparator", "Locale", "LocalizedError", "Measurement", "Morphology", "Notification",
        "NotificationCenter", "NotificationQueue", "ObjCBool", "OperatingSystemVersion", "Operation", "OperationQueue",
        "OutputStream", "POSIXError", "PersonNameComponents", "Pipe", "Port", "PortMessage", "Predicate",
        "PredicateBindings", "PredicateError", "PredicateExpression", "PredicateExpressions", "Process", "ProcessInfo",
        "Progress", "ProgressKind", "ProgressReporting", "PropertyListDecoder", "PropertyListEncoder",
        "PropertyListSerialization", "QualityOfService", "RecoverableError", "RunLoop", "Scanner", "SocketNativeHandle",
        "SocketPort", "SortComparator", "SortDescriptor", "SortOrder", "StandardPredicateExpression", "Stream",
        "StreamNetworkServiceTypeValue", "StreamSOCKSProxyVersion", "StreamSocketSecurityLevel", "StringStyle",
        "StringTransform", "Thread", "TimeInterval", "TimeZone", "Timer", "URL", "URLComponents", "URLError",
        "URLFileResourceType", "URLQueryItem", "URLResourceValues", "UUID", "Unit", "UnitAcceleration", "UnitAngle",
        "UnitArea", "UnitConcentrationMass", "UnitConverter", "UnitConverterLinear", "UnitDispersion", "UnitDuration",
        "UnitElectricCharge", "UnitElectricCurrent", "UnitElectricPotentialDifference", "UnitElectricResistance",
        "UnitEnergy", "UnitFrequency", "UnitFuelEfficiency", "UnitIlluminance", "UnitInformationStorage", "UnitLength",
        "UnitMass", "UnitPower", "UnitPressure", "UnitSpeed", "UnitTemperature", "UnitVolume", "UserDefaults",
      ]
    ),
    (
      "SwiftUI",
      [
        "Alert", "Alignment", "Angle", "Animation", "App", "Binding", "Button", "Canvas", "Capsule", "Circle", "Color",
        "Divider", "Edge", "Ellipse", "Environment", "Font", "Form", "Gauge", "Gesture", "Grid", "Group", "Image",
        "Label", "Layout", "Link", "List", "Menu", "Map", "Namespace", "Path", "Picker", "Preview", "Rectangle",
        "Scene", "Section", "Settings", "Shape", "Slider", "Spacer", "State", "Stepper", "Tab", "Table", "Text",
        "Toggle", "Transaction", "Transition", "View", "Window",
      ]
    ),
    (
      "Testing",
      [
        "Attachable", "AttachableWrapper", "Attachment", "Bug", "Comment", "ConditionTrait", "Confirmation",
        "ExitStatus", "ExitTest", "Expectation", "ExpectationFailedError", "Issue", "IssueHandlingTrait",
        "KnownIssueMatcher", "ParallelizationTrait", "SourceLocation", "SuiteTrait", "Tag", "Test", "TestScoping",
        "TestTrait", "TimeLimitTrait", "Trait",
      ]
    ),
    (
      "ModelRuntime",
      [
        "CalendarDay", "CalendarMonth", "CalendarWeek", "CalendarWeekday", "CalendarYear", "ContentHash",
        "DeltaChange", "DeltaCursor", "DeltaQuery", "EncodableView", "EphemeralModel", "FailedOperation", "Field",
        "FieldTable",
        "FileAnswer",
        "FileError", "FileKey", "FileLimits", "FileOptions", "FileProgress", "FileReference", "FileRequest",
        "FileSlice", "FileSource", "FileStatus", "FileTransport", "FileVariant", "GapSection", "HTTPTransport",
        "HistoryID", "InitialSection", "InvitationLink", "InvitationPolicy", "ListAnchor", "ListCalendar",
        "ListDefinition", "ListHandle",
        "ListSection", "ListSnapshot", "ListUpdate", "ListUpdates", "ListedIDs", "ListedSection",
        "ListedSections", "LiveValue", "LocalFile", "MessageError", "Model", "ModelOperation", "ModelStore",
        "ModelView", "ObjectAction", "ObjectID", "ObjectOrder", "OperationContext",
        "OperationHandle", "OperationID", "OperationState", "PendingOperation", "QueueID", "QueueInvitation",
        "QueueLink", "QueueMember",
        "QueueModel", "QueueRole", "Recovery", "RequestError", "Salvage", "SchemaDescription", "ServerID",
        "SnapshotChanges",
        "SnapshotPath", "SortedSet", "StoreError", "StoreFiles", "StoreUpdates", "SyncClient", "SyncError",
        "SyncStatus", "SyncTransport", "SystemFields", "Timestamp", "TransportAnswer", "UUIDValue", "UnknownFields",
        "Unsectioned", "UserID", "ValueCount", "ViewList", "WireError",
      ]
    ),
    ("ModelRuntimeUI", ["FieldBindings", "Live", "LiveList", "LiveViews"]),
  ]
}
