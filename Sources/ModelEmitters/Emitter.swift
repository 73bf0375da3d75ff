// The emitters as a list: each turns a whole schema into files, pure and in a stable order.
public import ModelSchema

/// A generated file, not yet written.
public struct EmittedFile: Hashable, Sendable {
  /// Relative to the output folder, with `/`; built from checked names only.
  public var path: String
  public var contents: String

  public init(path: String, contents: String) {
    self.path = path
    self.contents = contents
  }
}

/// One kind of output, an entry of `Emitter.all`.
public struct Emitter: Sendable {
  /// The version of the generator, as every output names it.
  public static let version = "0.1.0"

  /// All outputs, in the order in which they are written.
  public static let all: [Emitter] = [.swift, .proto, .graphql, .access]

  /// What `--only` takes, for example `swift`.
  public var name: String
  public var emit: @Sendable (Schema) -> [EmittedFile]

  public init(name: String, emit: @escaping @Sendable (Schema) -> [EmittedFile]) {
    self.name = name
    self.emit = emit
  }
}
