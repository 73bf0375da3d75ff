// The user for whom a task works.

package import WireFormat

/// The user whose request a task answers. Threads take turns between users by it.
package enum Caller {
  /// Nil for the server itself.
  @TaskLocal package static var user: UserID?
}
