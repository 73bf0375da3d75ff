// The page's port and token, kept between starts, so that a page in a browser finds the server again.
import FlyingSocks
import Foundation
import Moments

/// The address of a page without its host.
struct PageAddress: Codable {
  var port: UInt16
  var token: PageToken

  /// The address that `file` keeps, with another port if `port` is not 0 or the kept one is in use. Keeps what it
  /// returns, so that the next start finds it. Without a file the address is new, and its port `port`.
  static func address(port: UInt16, keptIn file: URL?) throws -> Self {
    guard let file else { return Self(port: port, token: PageToken()) }
    let kept = (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Self.self, from: $0) }
    let address = Self(
      port: port != 0 ? port : freePort(kept?.port ?? 0) ?? freePort(0) ?? 0, token: kept?.token ?? PageToken())
    try address.keep(in: file)
    return address
  }

  /// Writes the file for this user's eyes only, as the store beside it is.
  private func keep(in file: URL) throws {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: file.path]) }
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: JSONEncoder().encode(self))
  }

  /// The port that listening on `port` gets: another one for 0. Nil if it is in use.
  private static func freePort(_ port: UInt16) -> UInt16? {
    guard let address = try? sockaddr_in.inet(ip4: "127.0.0.1", port: port),
      let socket = try? Socket(domain: Int32(AF_INET))
    else { return nil }
    defer { try? socket.close() }
    try? socket.setValue(true, for: .localAddressReuse)
    guard (try? socket.bind(to: address)) != nil, (try? socket.listen()) != nil,
      case .ip4(_, let port) = try? socket.sockname()
    else { return nil }
    return port
  }
}

extension PageToken: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    text = try container.decode(String.self)
    guard text.utf8.count == 32, text.allSatisfy(\.isHexDigit) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "A token has 32 hexadecimal digits.")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
