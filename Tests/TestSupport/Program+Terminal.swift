// Runs a program on a real terminal of the system, so that what it asks about its streams has a true answer.
public import Foundation

extension Program {
  /// Runs it with a terminal as its standard error. The `errors` of the outcome are what the terminal got.
  public func runOnTerminal(
    _ arguments: [String], in folder: URL, environment: [String: String] = [:]
  ) throws -> Outcome {
    var (screen, device): (Int32, Int32) = (-1, -1)
    guard openpty(&screen, &device, nil, nil, nil) == 0 else { throw Missing(name: "a terminal") }
    defer { close(screen) }
    // Programs that other tests start meanwhile must not hold the terminal open.
    for descriptor in [screen, device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    let streams = try TemporaryFolder()
    let output = try streams.emptyFile("output")
    let process: ChildProcess
    do {
      // From then on only the program holds the device, so the reading below ends when the program does.
      defer { close(device) }
      process = try start(arguments, in: folder, environment, output: output.fileDescriptor, errors: device)
    }
    let bytes = Self.everything(from: screen)
    return Outcome(
      status: process.wait().status, output: try streams.read("output"),
      errors: String(decoding: bytes, as: UTF8.self))
  }

  /// Reads until the terminal ends, which is an error on Linux and an empty read on macOS.
  private static func everything(from screen: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(screen, &part, part.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += part.prefix(count)
    }
  }
}
