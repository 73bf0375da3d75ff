// The right to take members in and out: of server and device alike.

extension QueueRole {
  /// Everybody may leave, a writer takes others in up to this role, and all else is for owners.
  public func allows(_ change: MemberChange, by user: UUIDValue) -> Bool {
    switch (self, change.action) {
    case (.owner, _): true
    case (.writer, .follow(let role)): role != .owner
    case (_, .unfollow): change.user == user
    default: false
    }
  }
}
