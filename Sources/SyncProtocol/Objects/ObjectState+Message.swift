// States of objects as JSON.

package import JSON

extension ObjectState: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      id: try reader.required("id", .uuid),
      revision: try reader.required("revision", .revision),
      live: try reader.optional("live", .message))
  }

  package var json: JSONValue {
    ["id": .id(id), "revision": .int64(revision), "live": .message(live)]
  }
}

extension ObjectState.Live: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      type: try reader.required("type", .typeName),
      content: try reader.required("content", .bytes(atMost: ProtocolLimits.objectBytes)),
      newestBy: try reader.optional("newestBy", .int64),
      system: SystemFields(
        createdBy: try reader.required("createdBy", .id()), createdAt: try reader.required("createdAt", .timestamp),
        updatedAt: try reader.required("updatedAt", .timestamp)))
  }

  package var json: JSONValue {
    [
      "type": .string(type), "content": .base64(content), "newestBy": .int64(newestBy),
      "createdBy": .id(system.createdBy), "createdAt": .time(system.createdAt), "updatedAt": .time(system.updatedAt),
    ]
  }
}
