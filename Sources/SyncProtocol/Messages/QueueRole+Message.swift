// The roles of members as JSON.

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
