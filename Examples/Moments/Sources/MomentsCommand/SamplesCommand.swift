// `moments samples FOLDER`: pictures to import where nobody has any at hand, or has too few.
import ArgumentParser
import Foundation
import SamplePictures

struct SamplesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "samples", abstract: "Make pictures with dates and places, to try the import with.")

  @Argument(help: "The folder that they are written to.", completion: .directory)
  var folder: String

  @Option(help: "How many.")
  var count = 60

  @Option(help: "On how many days they were taken, up to yesterday.")
  var days = 5

  @Option(help: "How wide they are, in pixels.")
  var width = 960

  func validate() throws {
    guard count > 0, days > 0, (16...8_192).contains(width) else {
      throw ValidationError("--count and --days are at least 1, --width is 16 to 8192.")
    }
  }

  func run() async throws {
    try await SamplePictures.write(count, days: days, width: width, seed: 1, to: URL(filePath: folder))
    say("\(count) pictures in \(folder); now: moments import \(folder)")
  }
}
