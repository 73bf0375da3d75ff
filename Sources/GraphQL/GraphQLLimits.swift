// What one request may ask for.

/// Limits of a document, checked before anything is executed, and of its answer.
package struct GraphQLLimits: Sendable {
  /// Bytes of the document, which stays in memory while its fields are executed. Large values belong in variables.
  package var bytes = 64 << 10
  package var tokens = 1_000
  /// Levels of nested fields, and of lists and objects in values.
  package var depth = 10
  /// Fields of an operation, with all fragments spread.
  package var fields = 200
  package var fieldsAtTheTop = 4
  /// The most mistakes of a document that are reported. One mistake can count for each operation that spreads a
  /// fragment.
  package var errors = 20
  /// Bytes of an answer's data: a short document can ask for the same content under many names.
  package var answerBytes = 8 << 20

  package init() {}
}
