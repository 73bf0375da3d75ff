// Reasons as JSON. The keys and the words must not change, because tools read them.
import ModelSupport

extension WhyReading {
  var json: OrderedJSON { operation.json + ["why": .array(reasons.map(\.json))] }
}

extension WaitReason {
  fileprivate var json: OrderedJSON { ["reason": .string(word), "text": .string(text)] + members }

  private var word: String {
    switch self {
    case .damaged: "damaged"
    case .obstacle(let obstacle, _): obstacle.word
    case .queue(.revoked): "membership"
    case .queue(.ended): "ended"
    case .queue: "reload"
    case .firstAnswer: "firstAnswer"
    case .request: "request"
    case .answer: "answer"
    case .again: "again"
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

  private var members: OrderedJSON {
    switch self {
    case .damaged, .firstAnswer, .request, .again, .retired, .failed: [:]
    case .obstacle(let obstacle, let blocker): obstacle.json(blocker)
    case .queue(let load), .load(let load): ["load": .string("\(load)")]
    case .answer(let since), .void(let since): ["since": OrderedJSON(since)]
    case .files(let files): ["files": .array(files.map { OrderedJSON($0) })]
    case .cursor(let decision):
      [
        "outcome": .string(decision.outcome), "code": OrderedJSON(decision.code),
        "at": OrderedJSON(number: decision.at),
        "cursor": OrderedJSON(number: decision.cursor), "behind": OrderedJSON(number: decision.behind),
      ]
    case .catchUp(let position): ["position": OrderedJSON(number: position)]
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
    case .dependency: "dependency"
    case .aside: "aside"
    case .room: "room"
    }
  }

  fileprivate func json(_ blocker: WaitReason.Blocker?) -> OrderedJSON {
    guard let blocker else { return [:] }
    let named: OrderedJSON = ["number": OrderedJSON(number: blocker.number), "operation": OrderedJSON(blocker.id)]
    guard case .earlier(_, let object) = self else { return named }
    return named + ["object": OrderedJSON(object), "outcome": OrderedJSON(blocker.outcome)]
  }
}
