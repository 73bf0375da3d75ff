// The error that reading a message throws.

/// A body that is no message of the protocol.
public struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of mistake, for a program.
  public var code: Code
  /// The path of the field from the outermost value: `mutations[3].changes`. Empty for the whole body.
  public var path: String

  /// For tests of code that handles such errors.
  public init(_ code: Code, at path: String = "") {
    self.code = code
    self.path = path
  }

  /// The mistake that was found in the body.
  public enum Code: Hashable, Sendable {
    /// The body is no JSON text, as the page of a proxy: something other than the server may have answered.
    case notJSON
    /// A required field is absent.
    case missing
    /// A field is of another JSON type than the protocol demands, or the body is no object.
    case wrongType
    /// A text that is no value of its type, or a number that is out of bounds.
    case invalidValue
    /// A name that this version does not know.
    case unknownName
    /// More than `ProtocolLimits` allows.
    case tooLarge
  }

  /// A clause for people, as "`mutations[3].id` is missing".
  public var description: String {
    let field = path.isEmpty ? "it" : "`\(path)`"
    return switch code {
    case .notJSON: "\(field) is not JSON"
    case .missing: "\(field) is missing"
    case .wrongType: path.isEmpty ? "it is not a JSON object" : "\(field) has the wrong type"
    case .invalidValue: "\(field) has a value that is not allowed"
    case .unknownName: "\(field) has a name that is not known here"
    case .tooLarge: "\(field) is too large"
    }
  }

  func below(_ outer: String) -> Self {
    let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
    return Self(code, at: outer + separator + path)
  }
}
