// Swift type names that an app's file probably imports from elsewhere. A schema may use them, with a warning.

enum AmbiguousNames {
  /// The library that has a type of this name; nil where we know of none.
  static func owner(of swiftName: String) -> String? {
    owners.first { $0.types.contains(swiftName) }?.name
  }

  private static let owners: [(name: String, types: Set<String>)] = [
    (
      "Swift",
      [
        "AnyObject", "Array", "Bool", "Character", "Codable", "Collection", "Comparable", "Dictionary", "Double",
        "Duration", "Encoder", "Decoder", "Equatable", "Error", "Float", "Hashable", "Identifiable", "Int", "Iterator",
        "KeyPath", "Mirror", "Never", "Optional", "Range", "Result", "Sendable", "Sequence", "Set", "String",
        "Substring", "Task", "TaskGroup", "Actor", "Clock", "Instant", "Regex", "Hasher", "Int8", "Int16", "Int32",
        "Int64",
        "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "MainActor", "Void",
      ]
    ),
    (
      "Foundation",
      [
        "Bundle", "Calendar", "Data", "Date", "DateInterval", "Decimal", "Dimension", "FileManager", "Formatter",
        "Host", "IndexPath", "IndexSet", "Locale", "Measurement", "Notification", "Operation", "Pipe", "Port",
        "Process", "Progress", "Scanner", "Stream", "Thread", "TimeZone", "Timer", "Unit", "URL", "UUID", "Predicate",
        "SortDescriptor",
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
      "ModelRuntime",
      [
        "AccessHolder", "AccessStanding", "Accumulator", "AttentionItem", "BlobBuffer", "CalendarDay",
        "CalendarMonth", "CalendarWeek", "CalendarWeekday", "CalendarYear", "ChangedAnswer", "ChangedRequest",
        "CommitAnswer", "CommitRequest", "ContentHash", "DeltaAnswer", "DeltaChange", "DeltaPage", "DeltaPlace",
        "DeltaQuery", "DeltaRequest", "DistinctValue", "EncodableView", "Field", "FieldPlan", "FieldProjection",
        "FieldTable",
        "FieldTabled", "FieldType", "FileAnswer", "FileError", "FileField", "FileLimits", "FileOptions", "FilePlace",
        "FileProgress", "FileReference", "FileRequest", "FileSlice", "FileSource", "FileStatus", "FileTransport",
        "FileVariant", "FixtureGenerator", "GapSection", "HTTPTransport", "HTTPTransportError", "IdentityHasher",
        "InitialSection", "InvitationLists", "InvitationPolicy",
        "KeyBytes", "ListAnchor", "ListCalendar", "ListClock", "ListContext", "ListCounts", "ListDefinition",
        "ListFields", "ListHandle", "ListKey", "ListLayout", "ListMoments", "ListNumber", "ListOrdering", "ListPlace",
        "ListRow", "ListSection", "ListSnapshot", "ListTermMoments", "ListUpdate", "ListUpdates", "ListedIDs",
        "ListedSection", "ListedSections", "LiveFile", "LiveFileProgress", "LiveList", "LiveObject", "LocalFile",
        "MemberChange", "MemberItem", "MemberLists", "MergeKinds", "MessageError", "Model", "ModelEnum",
        "ModelOperation", "ModelStore", "ModelStruct", "ModelView", "ObjectAccess", "ObjectAction", "ObjectChange",
        "ObjectID", "ObjectOrder", "ObjectQueue", "ObjectState", "ObjectValues", "ObjectView", "ObjectsPage",
        "ObjectsRequest", "OperationChanges", "OperationContext", "OperationError", "OperationHandle",
        "OperationOutcome", "OperationState", "OutboxItem", "Patch", "PatchBuilder", "ProtocolLimits",
        "ProtocolVersion", "QueueAcceptance", "QueueDigest", "QueueID",
        "QueueInvitation", "QueueMember", "QueueMembership", "QueueModel", "QueueRefusal",
        "QueueRole", "Record", "RecordReader", "RecordWriter", "RejectionCode", "RequestError", "Revival", "RowID",
        "RowTable", "RuntimeEnvironment", "Salvage", "ScanPlace", "SchemaDeltaQuery", "SchemaDescription",
        "SeenPlace", "Snapshot", "SnapshotBatch", "SnapshotChanges", "SnapshotCursor", "SnapshotPath", "SnapshotRows",
        "SnapshotSection", "SortedSet", "StoreError", "StoreFiles", "StoreInspection", "StoredField", "StoredRow",
        "StoredValue", "SyncCall", "SyncClient", "SyncError", "SyncID", "SyncStatus", "Timestamp", "Transport",
        "TransportAnswer", "UUIDValue", "UnknownFields", "Unsectioned", "UserAccount", "UserID", "VarintElement",
        "ViewField", "ViewList", "ViewSource", "ViewTable", "ViewedObject", "WireElement", "WireEnum", "WireError",
        "WireField", "WireLimits",
        "WireListElement", "WireMessage", "WireReader", "WireSetElement", "WireStruct", "WireTag", "WireType",
        "WireWriter", "Zigzag",
      ]
    ),
  ]
}
