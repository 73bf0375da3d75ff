// Roles of members, and operations that wait for files, as JSON.

package import WireFormat

extension QueueRole {
  package var name: String {
    switch self {
    case .owner: "OWNER"
    case .writer: "WRITER"
    case .reader: "READER"
    }
  }
}

extension MessageField<QueueRole> {
  package static var role: Self { name { text in QueueRole.allCases.first { $0.name == text } } }
}

extension CommitAnswer.Waiting: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      operation: try reader.required("operation", .uuid),
      files: try reader.required("files", .list(.hash, atMost: ProtocolLimits.files)))
  }

  package var json: JSONValue { ["operation": .id(operation), "files": .list(texts: files)] }
}
