// The right to change the members of a queue. Server and device use the same code.

package import WireFormat

extension QueueRole {
  /// Whether a user with this role may make the change. Everybody may leave, a writer may take others in up to the same
  /// role, and owners may do everything.
  package func allows(_ change: MemberChange, by user: UserID) -> Bool {
    switch (self, change.action) {
    case (.owner, _): true
    case (.writer, .follow(let role)): role != .owner
    case (_, .unfollow): change.user == user
    default: false
    }
  }
}
