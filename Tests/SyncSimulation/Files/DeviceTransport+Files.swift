// Sends a client's requests about files over the simulated network.

import ClientStore
import ClientSync
import SyncProtocol
import TestSupport

extension DeviceTransport: FileTransport {
  func send(_ request: FileRequest) async throws -> FileAnswer {
    if process.isOver { throw SimulatedNetwork.Broken() }
    let call = try call(of: request)
    device.world.oracles.mayAsk(device, request)
    return try await process.wait { [self] finish in
      let exchange = FileExchange(request.file, call, finish)
      network.send(exchange, of: device, timeout: request.timeoutMilliseconds)
      return { exchange.close() }
    }
  }

  private func call(of request: FileRequest) throws -> FileExchange.Call {
    switch request.call {
    case .state: .state
    case .part(let slice, let offset, let isLast):
      .part(FilePartBody(offset: offset, bytes: try slice?.bytes() ?? [], isLast: isLast))
    case .range(let range): .range(range)
    case .copy(let source): .copy(from: source)
    }
  }
}
