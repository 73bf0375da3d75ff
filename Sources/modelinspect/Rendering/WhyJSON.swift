// Reasons as JSON. The keys and the words must not change, because tools read them.
import ModelSupport

extension WhyReading {
  var json: JSONValue { operation.json + ["why": .array(reasons.map(\.json))] }
}

extension WaitReason {
  fileprivate var json: JSONValue { ["reason": .string(word), "text": .string(text)] + members }

  private var word: String {
    switch self {
    case .damaged: "damaged"
    case .obstacle(let obstacle, _): obstacle.word
    case .queue(.revoked), .queue(.awaitingMembership): "membership"
    case .queue(.ended): "ended"
    case .queue: "reload"
    case .root: "root"
    case .firstAnswer: "firstAnswer"
    case .request: "request"
    case .answer: "answer"
    case .void: "void"
    case .files: "files"
    case .cursor: "cursor"
    case .load: "queueLoad"
    case .catchUp: "catchUp"
    case .server: "server"
    case .failures: "queue"
    case .retired: "retired"
    case .failed: "failed"
    }
  }

  private var members: JSONValue {
    switch self {
    case .damaged, .root, .firstAnswer, .request, .retired, .failed: [:]
    case .obstacle(let obstacle, let blocker): obstacle.json(blocker)
    case .queue(let load), .load(let load): ["load": .string("\(load)")]
    case .answer(let since), .void(let since): ["since": JSONValue(since)]
    case .files(let files): ["files": .array(files.map { JSONValue($0) })]
    case .cursor(let decision):
      [
        "outcome": .string(decision.outcome), "code": JSONValue(decision.code), "at": JSONValue(number: decision.at),
        "cursor": JSONValue(number: decision.cursor), "behind": JSONValue(number: decision.behind),
      ]
    case .catchUp(let position): ["position": JSONValue(number: position)]
    case .server(let failure), .failures(let failure): failure.json
    }
  }
}

extension SendingObstacle {
  fileprivate var word: String {
    switch self {
    case .decided: "decided"
    case .unsaved: "unsaved"
    case .files: "files"
    case .earlier: "earlier"
    case .root: "root"
    case .dependency, .uncertainDependency: "dependency"
    case .aside: "aside"
    case .room: "room"
    }
  }

  fileprivate func json(_ blocker: WaitReason.Blocker?) -> JSONValue {
    guard let blocker else { return [:] }
    let named: JSONValue = ["number": JSONValue(number: blocker.number), "operation": JSONValue(blocker.id)]
    guard case .earlier(_, let object) = self else { return named }
    return named + ["object": JSONValue(object), "outcome": JSONValue(blocker.outcome)]
  }
}
