// `moments demo`: a server and two devices on this machine, with pictures that the demo makes.
import ArgumentParser
import Foundation
import Moments
import MomentsPage
import SamplePictures

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Start a server and two devices, and try what they do offline and online.",
    discussion: "Scripts/demo builds what it needs and starts it.")

  @Option(help: "The program modelserver.")
  var modelserver: String

  @Option(help: "What `modelgen generate --only access` made of the schemas: who may do what.")
  var access: String

  @Option(help: "A folder with 6 JPEGs at least for the first device; without it the demo makes some.")
  var pictures: String?

  @Flag(help: "Play a script instead of waiting for you, and end with 0 where everything arrived.")
  var headless = false

  func run() async throws {
    if let pictures { try Self.check(pictures) }
    let folder = FileManager.default.temporaryDirectory.appending(path: "moments-demo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await untilInterrupted { try await play(in: folder) }
  }

  /// Throws if the folder has too few pictures. Runs before a server is started.
  private static func check(_ pictures: String) throws {
    let count = try PhotoFolder(URL(filePath: pictures)).list().pictures.count
    guard count >= DemoScript.fewestPhotos else {
      throw CommandError("\(pictures) has \(count) JPEGs; the demo needs \(DemoScript.fewestPhotos) at least.")
    }
  }

  private func play(in folder: URL) async throws {
    let server = try DemoServer(URL(filePath: modelserver), access: URL(filePath: access), in: folder)
    defer { server.stop() }
    say("The server listens on \(server.url).")
    let devices = try ["anna", "ben"].map { name in
      try Device(folder: folder.appending(path: name), name: name, server: server.access(of: name))
    }
    try await importPictures(folder, devices)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for device in devices { group.addTask { try await device.run() } }
      if headless {
        try await DemoScript(anna: devices[0], ben: devices[1]).play()
        return group.cancelAll()
      }
      try await invite(devices, &group)
      for try await _ in group {}
    }
  }

  private func importPictures(_ folder: URL, _ devices: [Device]) async throws {
    for (index, device) in devices.enumerated() {
      var source = folder.appending(path: "\(device.name)-pictures")
      if let pictures, index == 0 {
        source = URL(filePath: pictures)
      } else {
        try await SamplePictures.write(index == 0 ? 30 : 12, seed: UInt64(index) * 1_000, to: source)
      }
      let report = try await device.importPhotos(from: PhotoFolder(source))
      say("\(device.name) imports \(report.added) pictures; \(report.failed.count) cannot be read.")
    }
  }

  private func invite(_ devices: [Device], _ group: inout ThrowingTaskGroup<Void, any Error>) async throws {
    // The user may have interrupted the import.
    try Task.checkCancellation()
    for device in devices {
      let page = try await PageServer(device)
      group.addTask { try await page.run() }
      say("\(device.name): \(try await page.address)")
    }
    say(
      """

      Open both, side by side, and try:
        - Put anna offline with the switch. Select some photos (the ring at a photo's corner) and share them with ben.
          Click on what is "on the way": it says why it waits.
        - Put anna on again: ben has news, and the photos. The marks on anna's go.
        - Hide a photo, like it, give it a caption and tags, on both sides, offline and on.
      Ctrl-C ends everything, and removes it.
      """)
  }
}

/// Cancels `body` on SIGINT, SIGTERM and SIGHUP, so that everything it has started ends too.
private func untilInterrupted(_ body: @escaping @Sendable () async throws -> Void) async throws {
  let task = Task { try await body() }
  let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number)
    source.setEventHandler { task.cancel() }
    source.resume()
    return source
  }
  defer { for source in sources { source.cancel() } }
  do { try await task.value } catch is CancellationError {}
}
