// The server's GraphQL schema as text. A test compares it with docs/formats/sync-protocol.graphql.

package enum SyncSchema {
  package static let text = #"""
    # The sync protocol, version 1, as a GraphQL schema. What it means: sync-protocol.md.

    "16 bytes as the 36 characters of RFC 9562, in lower case."
    scalar UUID

    "A whole number of 64 bits as decimal digits in a string: JSON readers lose numbers above 2^53."
    scalar Int64

    "The same without a sign."
    scalar UInt64

    "Milliseconds since 1970-01-01T00:00:00Z, written like Int64."
    scalar Timestamp

    "Bytes in base64 (RFC 4648, section 4), padded, without line ends."
    scalar Base64

    "32 bytes as 64 hexadecimal digits, in lower case."
    scalar SHA256

    type Query {
      "The changes of queues after their cursors. A queue that is missing in the answer is asked for again."
      delta(queues: [DeltaInput!]!, limit: Int, bytes: Int): [DeltaAnswer!]!

      "Waits until a queue of the asker is at another place than `sums` say, or shows other signals: a hint. Without `sums`: the time, at once."
      changed(sums: Base64, waitSeconds: Int! = 0, watched: [WatchedQueue!]! = []): ChangedAnswer!

      "One queue, read once, without a store: the newest objects first, then what changed."
      objects(queue: UUID!, types: [String!], history: UUID, cursor: Int64, scan: ScanInput, limit: Int): ObjectsPage!
    }

    type Mutation {
      "Operations of one queue, in the order in which they were performed."
      commit(queue: UUID!, grant: UUID, mutations: [MutationInput!]!): CommitAnswer!

      "The same for several queues, each decided by itself: their answers, in the order of the request."
      commits(commits: [CommitInput!]!): [CommitAnswer!]!

      "Shows signals to queues, or takes them back. They are kept in memory, for seconds."
      signal(session: UUID!, signals: [SignalInput!]!): SignalAnswer!
    }

    input CommitInput {
      queue: UUID!
      grant: UUID
      mutations: [MutationInput!]!
    }

    input MutationInput {
      "The operation's id: random, for life."
      operation: UUID!
      "The newest server time that the client knew when it first sent the operation."
      firstSent: Timestamp!
      "How often the user has tried the operation again."
      attempt: Int! = 0
      "The changes as operation-format.md has them."
      changes: Base64!
      "Settle the operation without applying it."
      void: Boolean! = false
    }

    input SignalInput {
      queue: UUID!
      type: String!
      "Absent: take it back."
      content: Base64
      seconds: Int!
    }

    input WatchedQueue {
      queue: UUID!
      "As the server told it last; absent before."
      state: UUID
    }

    input DeltaInput {
      queue: UUID!
      grant: UUID
      "Absent: scan the queue."
      cursor: Int64
      "Go on with a scan."
      scan: ScanInput
      "Operations that were sent and whose outcome the client does not hold."
      awaiting: [UUID!]! = []
    }

    input ScanInput {
      newestBy: Int64!
      id: UUID!
    }

    type CommitAnswer {
      "The server's clock."
      time: Timestamp!
      "Absent where the request was refused."
      decided: Decided
      refusal: Refusal
    }

    type Decided {
      grant: UUID!
      "The sender's."
      role: QueueRole!
      outcomes: [Outcome!]!
      waiting: [Waiting!]!
    }

    enum QueueRole {
      OWNER
      WRITER
      READER
    }

    type Outcome {
      operation: UUID!
      status: OutcomeStatus!
      "Why it was rejected."
      code: String
      "The queue's head right after it."
      at: Int64!
      time: Timestamp!
      "The attempt that was decided. If it changed nothing, a later attempt is decided again."
      attempt: Int!
    }

    enum OutcomeStatus {
      APPLIED
      NO_EFFECT
      REJECTED
      VOIDED
      UNKNOWN
    }

    "An operation without an outcome, because files that it names have not arrived."
    type Waiting {
      operation: UUID!
      files: [SHA256!]!
    }

    type Refusal {
      reason: RefusalReason!
      "STALE, RESET: the asker's own."
      grant: UUID
      "REVOKED, ENDED: of the operations that the request names."
      outcomes: [Outcome!]
      "REVOKED, ENDED: outcomes of operations that were first sent before may have been forgotten."
      retention: Timestamp
    }

    enum RefusalReason {
      "The asker is not a member."
      REVOKED
      "The queue has ended for good; the asker was a member then."
      ENDED
      "Commit: the grant is another one."
      STALE
      "Delta: the grant is another one, or the cursor is older than what the server kept, or above the head."
      RESET
      "There is no such queue."
      NO_QUEUE
    }

    type DeltaAnswer {
      queue: UUID!
      time: Timestamp!
      "Absent where the request was refused."
      page: DeltaPage
      refusal: Refusal
    }

    type DeltaPage {
      grant: UUID!
      "The asker's."
      role: QueueRole!
      "The newest revision of the queue."
      head: Int64!
      "The next request continues here."
      cursor: Int64!
      "Present while a scan has more."
      scan: Scan
      objects: [Object!]!
      "Present on the last page."
      end: DeltaEnd
    }

    type Scan {
      newestBy: Int64!
      id: UUID!
    }

    type Object {
      id: UUID!
      revision: Int64!
      "Absent: it was deleted."
      live: LiveObject
    }

    type LiveObject {
      type: String!
      content: Base64!
      newestBy: Int64
      createdBy: UUID!
      "The server's time."
      createdAt: Timestamp!
      "The server's time of this revision."
      updatedAt: Timestamp!
    }

    type DeltaEnd {
      "Of the awaited operations; one that is missing is not known."
      outcomes: [Outcome!]!
      "Outcomes of operations that were first sent before may have been forgotten."
      retention: Timestamp!
      digest: Digest!
    }

    type Digest {
      "How many objects are live."
      live: Int64!
      sum: UInt64!
    }

    type ChangedAnswer {
      time: Timestamp!
      "Ranges of ids with a queue at another place, as many as fit into one answer."
      ranges: [Int!]!
      "All queues of the asker in these ranges."
      places: [ChangedPlace!]!
      "The watched queues where others are shown than the client knows."
      signals: [QueueSignals!]!
    }

    type QueueSignals {
      queue: UUID!
      "Stands for these signals; absent if there are none."
      state: UUID
      "All that others show."
      signals: [Signal!]!
    }

    type Signal {
      user: UUID!
      type: String!
      content: Base64!
    }

    type SignalAnswer {
      time: Timestamp!
      "How many of the signals the server took."
      taken: Int!
    }

    type ChangedPlace {
      queue: UUID!
      grant: UUID!
      head: Int64!
    }

    type ObjectsPage {
      time: Timestamp!
      history: UUID!
      head: Int64!
      cursor: Int64!
      scan: Scan
      objects: [Object!]!
    }

    """#
}
