// A value of every kind of message, with every field that it may have. The golden vectors are made of these.
import SampleIDs
import SyncProtocol
import WireFormat

enum Samples {
  static let queue: QueueID = id("00010203-0405-4607-8809-0a0b0c0d0e0f")
  static let grant: GrantID = id("a0000000-0000-4000-8000-000000000001")
  static let history: HistoryID = id("e0000000-0000-4000-8000-000000000001")
  static let user: UserID = id("b0000000-0000-4000-8000-000000000001")
  static let operations: [OperationID] = (1...6).map { id("c0000000-0000-4000-8000-00000000000\($0)") }
  static let other: QueueID = id("d0000000-0000-4000-8000-000000000001")
  static let photo = UUIDValue.object(1, in: queue)
  static let gone = UUIDValue.object(2, in: queue)
  static let time = Timestamp(millisecondsSince1970: 1_700_000_000_000)
  static let system = SystemFields(
    createdBy: user, createdAt: time, updatedAt: Timestamp(millisecondsSince1970: 1_700_000_001_000))
  static let scan = ScanCursor(newestBy: -9_007_199_254_740_993, id: photo)

  static func id<Object>(_ text: String) -> ObjectID<Object> { ObjectID(text)! }

  static let objects = [
    ObjectState(
      id: photo, revision: 7,
      live: ObjectState.Live(
        type: "photo", content: [0x0A, 0x01, 0x78], newestBy: 9_223_372_036_854_775_807, system: system)),
    ObjectState(
      id: queue.root, revision: 8, live: ObjectState.Live(type: "moment", content: [], system: system)),
    ObjectState(id: gone, revision: 9, live: nil),
  ]

  static let outcomes = zip(
    operations, [.applied, .noEffect, .rejected("conditionFailed"), .voided, .unknown] as [OperationOutcome.Status]
  ).map { OperationOutcome(operation: $0, status: $1, at: 9, time: time, attempt: $0 == operations[2] ? 1 : 0) }

  static let commitRequests = [
    "commit-request": CommitRequest(
      queue: queue, grant: grant,
      mutations: [
        CommitRequest.Mutation(operation: operations[0], firstSent: time, attempt: 1, changes: [0x0A, 0x00, 0xFF]),
        CommitRequest.Mutation(operation: operations[1], firstSent: time, changes: [], isVoid: true),
      ]),
    "commit-request-first": CommitRequest(
      queue: queue, mutations: [CommitRequest.Mutation(operation: operations[0], firstSent: time, changes: [0x0A])]),
  ]

  static let commitAnswers = [
    "commit-answer": CommitAnswer(
      time: time,
      result: .decided(
        CommitAnswer.Decided(
          grant: grant, role: .writer, outcomes: outcomes,
          waiting: [CommitAnswer.Waiting(operation: operations[5], files: [ContentHash(words: (1, 2, 3, 4))])]))),
    "commit-answer-revoked": CommitAnswer(
      time: time, result: .refused(.revoked(outcomes: [outcomes[0]], retention: time))),
    "commit-answer-stale": CommitAnswer(time: time, result: .refused(.stale(grant))),
    "commit-answer-no-queue": CommitAnswer(time: time, result: .refused(.noQueue)),
  ]

  static let commitsRequests = [
    "commits-request": CommitsRequest(commits: [
      CommitRequest(queue: queue, grant: grant, mutations: commitRequests["commit-request"]?.mutations ?? []),
      CommitRequest(queue: other, mutations: []),
    ])
  ]
  static let commitsAnswers = [
    "commits-answer": [
      CommitAnswer(time: time, result: .decided(.init(grant: grant, role: .writer, outcomes: outcomes))),
      CommitAnswer(time: time, result: .refused(.stale(grant))),
    ]
  ]

  static let deltaRequests = [
    "delta-request": DeltaRequest(
      queues: [
        DeltaRequest.Queue(queue: queue, grant: grant, cursor: 5, awaiting: [operations[0], operations[1]]),
        DeltaRequest.Queue(queue: other, grant: grant, cursor: 5, scan: scan),
        DeltaRequest.Queue(queue: QueueID(gone)),
      ], limit: 200)
  ]

  static let deltaAnswers = [
    "delta-answer": [
      DeltaAnswer(
        queue: queue, time: time,
        result: .page(
          DeltaPage(
            grant: grant, role: .writer, head: 9, cursor: 9, objects: objects,
            end: DeltaPage.End(outcomes: outcomes, retention: .zero, digest: QueueDigest(objects))))),
      DeltaAnswer(
        queue: other, time: time,
        result: .page(
          DeltaPage(grant: grant, role: .writer, head: 9, cursor: 5, scan: scan, objects: [objects[0]]))),
      DeltaAnswer(queue: QueueID(gone), time: time, result: .refused(.reset(grant))),
    ]
  ]

  static let changedRequests = ["changed-request": changed]
  private static var changed: ChangedRequest {
    var sums = PlaceSums(forQueues: 40)
    sums.add(queue, grant: grant, cursor: 9)
    sums.add(QueueID(gone), grant: grant, cursor: 7)
    return ChangedRequest(sums: sums, waitSeconds: 55, watched: [WatchedQueue(queue, state: gone)])
  }
  static let changedAnswers = [
    "changed-answer": ChangedAnswer(
      time: time, ranges: [0, 1], places: [.init(queue: queue, grant: grant, head: 10)],
      signals: [
        QueueSignals(
          queue: queue, state: gone, signals: [.init(user: UserID(gone), type: "typing", content: [8, 1])])
      ])
  ]

  static let signalRequests = [
    "signal-request": SignalRequest(
      session: gone,
      signals: [
        .init(queue: queue, type: "typing", content: [8, 1], seconds: 5),
        .init(queue: queue, type: "looking", content: nil, seconds: 1),
      ])
  ]
  static let signalAnswers = ["signal-answer": SignalAnswer(time: time, taken: 2)]

  static let objectsRequests = [
    "objects-request": ObjectsRequest(
      queue: queue, types: ["photo", "moment"], history: history, cursor: 9, scan: scan, limit: 10)
  ]
  static let objectsAnswers = [
    "objects-answer": ObjectsPage(time: time, history: history, head: 9, cursor: 9, scan: scan, objects: objects)
  ]
  static let errors = [
    "error-answer": RequestError(.unauthenticated, "The token has expired."),
    "error-answer-history": RequestError(.historyChanged, "The server was restored.", since: time),
  ]
}
