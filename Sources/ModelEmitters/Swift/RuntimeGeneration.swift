// The generation of generated Swift: the runtime has a symbol with this number, so that other code does not compile.

/// Which runtime a registry was generated for.
public struct RuntimeGeneration: Hashable, Sendable {
  public var number: Int

  /// That of the code that this version prints. `GeneratedCode.swift` of ModelTypes says when to raise it.
  public static let current = RuntimeGeneration(number: 1)

  /// The file that names it, relative to the output folder.
  public static let path = "Swift/ModelgenRegistry.generated.swift"

  private static let prefix = "_RuntimeForGeneratedCode"

  var symbol: String { "\(Self.prefix)\(number)" }
}

extension RuntimeGeneration {
  /// The generation that the text of a registry names; nil where it names none.
  public init?(registry text: String) {
    for line in text.split(separator: "\n") where !line.contains("//") {
      guard let name = line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }).last,
        name.hasPrefix(Self.prefix), let number = Int(name.dropFirst(Self.prefix.count))
      else { continue }
      self.init(number: number)
      return
    }
    return nil
  }
}
