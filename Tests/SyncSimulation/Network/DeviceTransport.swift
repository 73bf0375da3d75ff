// The transport of a simulated device: hands its requests to the simulated network.

import ClientSync
import Determinism
import TestSupport

/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class DeviceTransport: SyncTransport, @unchecked Sendable {
  unowned let device: Device
  let process: SimulatedProcess
  let network: SimulatedNetwork

  init(device: Device, process: SimulatedProcess, network: SimulatedNetwork) {
    (self.device, self.process, self.network) = (device, process, network)
  }

  func post(
    _ body: [UInt8], timeoutMilliseconds: Int64, didMove: @escaping @Sendable () -> Void
  ) async throws -> TransportAnswer {
    if process.isOver { throw SimulatedNetwork.Broken() }
    // The system takes the bytes at once, whatever becomes of them.
    if SlowLink(device, in: device.world) != nil { didMove() }
    return try await process.wait { [self] finish in
      network.send(body, of: device, timeout: timeoutMilliseconds, finish: finish)
    }
  }

  func refreshCredentials() async throws {
    if process.isOver { throw SimulatedNetwork.Broken() }
    try await process.wait { [self] (finish: @escaping (Result<Void, any Error>) -> Void) in
      network.refresh(device, finish)
    }
  }
}

extension SimulatedNetwork {
  /// Gives the device a new token, or fails for now. Returns what calls that off.
  func refresh(_ device: Device, _ finish: @escaping (Result<Void, any Error>) -> Void) -> () -> Void {
    let number = world.time.after(50) { [unowned world] in
      if world.has(.expiredToken), world.random.chance(25) { return finish(.failure(Broken())) }
      device.hasExpiredToken = false
      world.trace("a new token for \(device.name)")
      finish(.success(()))
    }
    return { [unowned world] in world.time.callOff(number) }
  }
}
