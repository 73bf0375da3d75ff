// The GraphQL documents that clients send: every field of every answer.

import JSON

package enum SyncDocuments {
  package static let commit = commitDocument(
    "Commit($queue: UUID!, $grant: UUID, $mutations: [MutationInput!]!)",
    "commit(queue: $queue, grant: $grant, mutations: $mutations)")

  package static let commits = commitDocument("Commits($commits: [CommitInput!]!)", "commits(commits: $commits)")

  /// Both calls ask for the same fields.
  private static func commitDocument(_ operation: String, _ field: String) -> String {
    """
    mutation \(operation) {
      \(field) {
        time
        decided {
          grant
          role
          outcomes { ...outcome }
          waiting { operation files }
        }
        refusal { ...refusal }
      }
    }
    \(refusal)
    \(outcome)
    """
  }

  package static let delta = """
    query Delta($queues: [DeltaInput!]!, $limit: Int, $bytes: Int) {
      delta(queues: $queues, limit: $limit, bytes: $bytes) {
        queue
        time
        page {
          grant
          role
          head
          cursor
          scan { newestBy id }
          objects { ...object }
          end {
            outcomes { ...outcome }
            retention
            digest { live sum }
          }
        }
        refusal { ...refusal }
      }
    }
    \(object)
    \(refusal)
    \(outcome)
    """

  package static let changed = """
    query Changed($sums: Base64, $waitSeconds: Int!, $watched: [WatchedQueue!]!) {
      changed(sums: $sums, waitSeconds: $waitSeconds, watched: $watched) {
        time
        ranges
        places { queue grant head }
        signals {
          queue
          state
          signals { user type content }
        }
      }
    }
    """

  package static let signal = """
    mutation Signal($session: UUID!, $signals: [SignalInput!]!) {
      signal(session: $session, signals: $signals) { time taken }
    }
    """

  package static let objects = """
    query Objects(
      $queue: UUID!, $types: [String!], $history: UUID, $cursor: Int64, $scan: ScanInput, $limit: Int
    ) {
      objects(queue: $queue, types: $types, history: $history, cursor: $cursor, scan: $scan, limit: $limit) {
        time
        history
        head
        cursor
        scan { newestBy id }
        objects { ...object }
      }
    }
    \(object)
    """

  /// `Objects` of one type, without fragments. `operations.graphql` has the same document, for people to copy.
  package static func objects(ofType type: String) -> String {
    """
    query \(objectsName(ofType: type))(
      $queue: UUID!, $history: UUID, $cursor: Int64, $scan: ScanInput, $limit: Int
    ) {
      objects(
        queue: $queue, types: [\(literal(type))], history: $history, cursor: $cursor, scan: $scan, limit: $limit
      ) {
        time
        history
        head
        cursor
        scan { newestBy id }
        objects {
          id
          revision
          live { type content newestBy createdBy createdAt updatedAt }
        }
      }
    }
    """
  }

  /// The name of that operation: `ObjectsOfPhoto` for the type `photo`. Characters that a GraphQL name cannot have
  /// become `_`.
  package static func objectsName(ofType type: String) -> String {
    let name = "ObjectsOf" + type.prefix(1).uppercased() + type.dropFirst()
    return String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// Writes a GraphQL string. JSON strings are valid GraphQL strings.
  private static func literal(_ text: String) -> String {
    String(decoding: JSONValue.string(text).encoded, as: UTF8.self)
  }

  private static let object = """
    fragment object on Object {
      id
      revision
      live { type content newestBy createdBy createdAt updatedAt }
    }
    """

  private static let refusal = """
    fragment refusal on Refusal {
      reason
      grant
      outcomes { ...outcome }
      retention
    }
    """

  private static let outcome = """
    fragment outcome on Outcome {
      operation
      status
      code
      at
      time
      attempt
    }
    """
}
