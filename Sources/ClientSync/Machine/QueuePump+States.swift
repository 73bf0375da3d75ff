// The states of a queue's requests. Pure.

import WireFormat

extension QueuePump {
  /// A request from its beginning to its end.
  struct Request: Hashable, Sendable {
    let turn: Turn
    /// The grant of the membership that the client knew when the request left.
    let grant: GrantID?
    /// Why a pull was made; nil if the facts wanted it, and for a push.
    let reason: PullReason?
    /// The place in the order of turns before the request, which the queue keeps if it gets no answer.
    let before: Order
  }

  /// Why a pull is needed whatever the facts of the queue say; the strongest reason last.
  enum PullReason: Hashable, Comparable, Sendable {
    /// A poll did not name the queue any more, or an earlier pull got no answer.
    case news
    /// The client asks by itself, after a change of memberships or invitations. An answer without news is then no
    /// failure.
    case question
    /// The server refused a commit as a whole. Nothing is sent before a delta has come.
    case pushedInVain
  }

  /// Whether the server serves the queue, as far as the client knows.
  enum Access: Hashable, Sendable {
    case open
    /// The server last refused the queue, or did not know it, under the membership of this grant.
    case refused(GrantID)
    /// It was refused, and may be served again by now. The next pull is a question.
    case unclear
  }

  /// The place of the queue in the order of turns.
  struct Order: Hashable, Sendable {
    /// The number of the queue's last turn; 0 before its first.
    var lastTurn = 0
    /// Pushes since the last pull began.
    var pushesInARow = 0
  }

  /// What makes the queue wait if it goes on.
  struct Doubts: Hashable, Sendable {
    /// How often a load began again, or an outcome was lost, since the loaded queue was last read to its head. The end
    /// of a load does not reset it, because a server that loses what it has just decided lets each load end.
    var restarts = 0
    /// Answers in a row that have changed nothing.
    var fruitless = 0
  }
}
