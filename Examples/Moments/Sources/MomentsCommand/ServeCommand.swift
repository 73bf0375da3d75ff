// `moments serve`: serves the page of a device.
import ArgumentParser
import Foundation
import Moments
import MomentsPage

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Show your photos on a page that only this machine can open.")

  @OptionGroup var options: DeviceOptions

  @Option(help: "The page's port; 0 takes that of the last time, or a free one.")
  var port: UInt16 = 0

  func run() async throws {
    let device = try options.open()
    let page = try await PageServer(
      device, port: port, addressKeptIn: URL(filePath: options.store).appending(path: "page.json"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await device.run() }
      group.addTask { try await page.run() }
      group.addTask { say("Open \(try await page.address)") }
      group.addTask { await tellProblems(of: device) }
      // The first failure cancels the other tasks; `waitForAll` would wait for their end.
      for try await _ in group {}
    }
  }

  /// Prints problems of sync, for a user who watches only the terminal. The page shows them too.
  private func tellProblems(of device: Device) async {
    guard let client = device.client else { return }
    var told: String?
    for await status in await client.statusUpdates {
      let problem = status.problem?.reason
      if let problem, problem != told { say("Not synced: \(problem)") }
      told = problem
    }
  }
}
