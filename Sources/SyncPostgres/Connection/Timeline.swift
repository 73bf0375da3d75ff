// Which history of its own PostgreSQL writes: how a server notices that a standby has taken over.

/// A cluster and a timeline of it. A standby that takes over begins another timeline, and so does a recovery to a point in
/// time; a dump that is restored lies in another cluster. Either may lack commits that were acknowledged.
///
/// The log's file names begin with the timeline: the control file tells it only after the next checkpoint
/// (https://www.postgresql.org/docs/current/continuous-archiving.html, "Timelines").
struct Timeline: Hashable, Sendable {
  var cluster: Int64
  var number: Int64

  /// Throws if the connection leads to a standby, which cannot be written.
  init(_ row: PostgresRow) throws {
    guard let number = try row.intIfAny(1) else {
      throw PostgresError(
        .noConnection, "it is a standby; name all hosts in the address, and target_session_attrs=read-write")
    }
    (cluster, self.number) = (try row.int(0), number)
  }

  static let query = PostgresStatement(
    .nothing,
    """
    SELECT system_identifier, CASE WHEN NOT pg_is_in_recovery()
      THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint END
    FROM pg_control_system()
    """)
}
