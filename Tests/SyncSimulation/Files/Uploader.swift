// Brings a file from a device to the server, as an app does it: it asks how far the file has come, and goes on from there.

import Determinism
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// One file on its way. `@unchecked Sendable`: a world and everything in it runs on one thread.
struct Uploader: @unchecked Sendable {
  let device: Device
  let process: SimulatedProcess
  let environment: RuntimeEnvironment
  let place: FilePlace
  let bytes: [UInt8]
  /// Of a part.
  let length: Int

  private var world: World { device.world }
  private static let patience = 12

  /// Whether the file is there; false where the user may not bring it, or too much has failed.
  func bring() async -> Bool {
    for attempt in 0..<Self.patience {
      if attempt > 0 { try? await environment.sleep(milliseconds: Int64(world.random.below(4_000))) }
      if process.isOver { return false }
      switch await ask(.state) {
      case .arrived(_, isComplete: true): return true
      case .arrived(let offset, isComplete: false):
        world.count("uploads resumed")
        if let end = await send(from: offset) { return end }
      case .refused(.notFound): if let end = await send(from: 0) { return end }
      case .refused(.forbidden): return refused()
      default: break
      }
    }
    return false
  }

  /// Nil where it has to ask again how far the file has come.
  private func send(from start: Int64) async -> Bool? {
    var offset = start
    for _ in 0..<40 where !process.isOver {
      switch await ask(part(at: offset)) {
      case .arrived(_, isComplete: true): return true
      case .arrived(let next, isComplete: false): offset = next
      case .elsewhere(let next):
        world.count("uploads that go on elsewhere")
        offset = next
      case .refused(.hashMismatch):
        world.count("uploads with wrong bytes")
        return nil
      case .refused(.forbidden): return refused()
      case .refused(.unavailable):
        world.count("uploads taken over")
        return nil
      default: return nil
      }
    }
    return nil
  }

  private func refused() -> Bool {
    world.count("uploads refused")
    return false
  }

  private func part(at offset: Int64) -> FileRequest.Call {
    let rest = bytes.dropFirst(Int(offset))
    var part = FilePartBody(offset: offset, bytes: Array(rest.prefix(length)), isLast: rest.count <= length)
    guard world.has(.uploads) else { return .part(part) }
    let count = part.bytes.count
    if count > 0, world.random.chance(5) {
      world.fault(.uploads, "a part with wrong bytes")
      part.bytes[world.random.below(count)] ^= 0xFF
      part.isSpoilt = true
    }
    if world.random.chance(12) {
      world.fault(.uploads, "a part is cut")
      part.cutAfter = world.random.below(count + 1)
    }
    return .part(part)
  }

  private func ask(_ call: FileRequest.Call) async -> FileAnswer {
    let answer: FileAnswer? = try? await process.wait { finish in
      let request = FileRequest(place, call) { finish(.success($0)) }
      world.network.send(request, of: device)
      return { request.close() }
    }
    return answer ?? .trouble
  }
}
