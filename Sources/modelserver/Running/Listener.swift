// One port of the server. If it cannot listen, it reports a mistake that the operator has to fix.

import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle

struct Listener<Responder: HTTPResponder>: Service where Responder.Context == ServerContext {
  let application: Application<Responder>
  let flag: String
  let host: String
  let port: Int

  func run() async throws {
    do { try await application.run() } catch let error as IOError {
      throw Mistake.listening(error.errnoCode, at: host, port, flag)
    } catch is SocketAddressError.UnknownHost {
      throw Mistake.usage("--host: \(host):\(port) cannot be looked up; name an address of this machine.")
    } catch let error as SocketAddressError {
      throw Mistake.usage("--host: \(host):\(port) is not an address of this machine (\(error)).")
    }
  }
}

extension Mistake {
  /// The mistake for a port on which the server cannot listen. `flag` named the port.
  static func listening(_ number: Int32, at host: String, _ port: Int, _ flag: String) -> Self {
    let reason = "\(flag): cannot listen on \(host):\(port): \(SystemReason.text(number))"
    return switch number {
    case EADDRNOTAVAIL: .inputOutput("--host: \(host) is not an address of this machine.")
    case EADDRINUSE: .inputOutput("\(reason). Is another server running there?")
    case EACCES: .inputOutput("\(reason). A port below 1024 needs rights: take another one, behind a proxy.")
    default: .inputOutput("\(reason).")
    }
  }
}
