// The list of emitters. Each is a pure function from a whole schema to files, in a stable order.
public import ModelSchema

/// A generated file, not yet written.
public struct EmittedFile: Hashable, Sendable {
  /// Relative to the output folder, with `/` as separator. Built from validated names only.
  public var path: String
  public var contents: String

  public init(path: String, contents: String) {
    self.path = path
    self.contents = contents
  }
}

/// One kind of output, an entry of `Emitter.all`.
public struct Emitter: Sendable {
  /// The version of the generator. Every output names it. `Scripts/release` writes it.
  public static let version = "0.1.0"

  /// All outputs, in the order in which they are written.
  public static let all: [Emitter] = [.swift, .proto, .graphql, .access]

  /// The argument of `--only`, for example `swift`.
  public var name: String
  public var emit: @Sendable (Schema) -> [EmittedFile]

  public init(name: String, emit: @escaping @Sendable (Schema) -> [EmittedFile]) {
    self.name = name
    self.emit = emit
  }
}
