// Requests of sync, as the model reads them from their bodies.

/// A request, and the user, the server's history and the schema that it names.
struct PlainEnvelope {
  var user: PlainID?
  var history: PlainID?
  /// Empty if it names none.
  var schema = ""
  /// The numbers of the schema's version; nil if it names none.
  var version: [Int]?
  /// Nil if the body is no call of sync.
  var request: PlainRequest?

  init(body: [UInt8]) {
    guard let json = PlainJSON(reading: body) else { return }
    let extensions = json["extensions"]
    (user, history) = (extensions["syncUser"].id, extensions["syncHistory"].id)
    schema = extensions["syncSchema"].text.map { String(decoding: $0, as: UTF8.self) } ?? ""
    version = extensions["syncVersion"].text.map { text in
      String(decoding: text, as: UTF8.self).split { $0 == "." || $0 == "+" }.compactMap { Int($0) }
    }
    request = PlainRequest(json)
  }
}

/// A call of the protocol. Clients keep all of its limits, so the model does not know them.
enum PlainRequest {
  /// One commit, or several of different queues.
  case commits([PlainCommit])
  case delta(PlainDelta)
  case changed(PlainChangedRequest)
  case signal(session: PlainID, [PlainSignalChange])

  fileprivate init?(_ json: PlainJSON) {
    guard let name = json["operationName"].text else { return nil }
    let variables = json["variables"]
    switch String(decoding: name, as: UTF8.self) {
    case "Commit":
      guard let commit = PlainCommit(variables) else { return nil }
      self = .commits([commit])
    case "Commits": self = .commits(variables["commits"].elements.compactMap { PlainCommit($0) })
    case "Delta":
      self = .delta(
        PlainDelta(
          places: variables["queues"].elements.compactMap { PlainAsked($0) }, limit: variables["limit"].integer,
          bytes: variables["bytes"].integer))
    case "Changed": self = .changed(PlainChangedRequest(variables))
    case "Signal":
      guard let session = variables["session"].id else { return nil }
      self = .signal(session: session, variables["signals"].elements.compactMap { PlainSignalChange($0) })
    default: return nil
    }
  }

  /// How long a poll may wait; 0 for any other call, and for a poll that only asks for the time.
  var waitSeconds: Int64 {
    switch self {
    case .commits, .delta, .signal: 0
    case .changed(let request): request.sums == nil ? 0 : request.waitSeconds
    }
  }
}

struct PlainCommit {
  var place: PlainAsked
  var mutations: [PlainMutation]

  init?(_ variables: PlainJSON) {
    guard let place = PlainAsked(variables) else { return nil }
    self.place = place
    mutations = variables["mutations"].elements.compactMap { PlainMutation($0) }
  }
}

struct PlainMutation {
  var operation: PlainID
  var firstSent: Int64
  /// How often the user has tried the operation again.
  var attempt: Int64
  var isVoid: Bool
  /// Nil where the bytes are no changes.
  var changes: PlainChanges?

  init?(_ json: PlainJSON) {
    guard let operation = json["operation"].id, let firstSent = json["firstSent"].integer,
      let bytes = json["changes"].base64
    else { return nil }
    (self.operation, self.firstSent, isVoid) = (operation, firstSent, json["void"].isTrue)
    attempt = json["attempt"].integer ?? 0
    changes = try? PlainChanges(bytes)
  }
}

/// The queue that a request is about, and how far its sender has read it.
struct PlainAsked {
  var queue: PlainID
  var grant: PlainID?
  // In a delta only.
  var cursor: Int64?
  var scan: PlainPlace?
  var awaiting: [PlainID] = []

  init?(_ json: PlainJSON) {
    guard let queue = json["queue"].id else { return nil }
    (self.queue, grant, cursor) = (queue, json["grant"].id, json["cursor"].integer)
    scan = json["scan"]["id"].id.map { PlainPlace(newestBy: json["scan"]["newestBy"].integer, id: $0) }
    awaiting = json["awaiting"].elements.compactMap(\.id)
  }
}

struct PlainDelta {
  var places: [PlainAsked]
  var limit: Int64?
  var bytes: Int64?
}

/// A poll over all queues of its user.
struct PlainChangedRequest {
  /// For each range of ids: the sum of what the client knows about its queues. Nil if it only asks for the time.
  var sums: [UInt64]?
  var waitSeconds: Int64
  /// The queues whose signals it follows.
  var watched: [PlainID]

  init(_ variables: PlainJSON) {
    watched = variables["watched"].elements.compactMap { $0["queue"].id }
    sums = variables["sums"].base64.map { bytes in
      stride(from: 0, to: bytes.count, by: 8).map { place in
        bytes[place..<min(place + 8, bytes.count)].reduce(0) { $0 * 256 + UInt64($1) }
      }
    }
    waitSeconds = variables["waitSeconds"].integer ?? 0
  }
}
