// A top-level field of the schema, and how it is executed.

package import JSON

/// One top-level field that can be executed. The arguments of all fields are read before any is executed, so that a
/// request with a mistake does nothing.
package struct GraphQLResolver: Sendable {
  package typealias Run = @Sendable () async throws -> Output
  /// Makes the JSON of an answer. Separate from `Run`, so that a worker thread can do it.
  package typealias Output = @Sendable () -> JSONValue

  let prepare: @Sendable ([JSONValue.Member]) throws -> Run

  /// `prepare` reads the arguments. It throws an error whose text tells clients what is wrong with them.
  package init(prepare: @escaping @Sendable ([JSONValue.Member]) throws -> Run) { self.prepare = prepare }
}
