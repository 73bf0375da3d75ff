// `moments samples FOLDER`: makes pictures to try the import with.
import ArgumentParser
import Foundation
import Moments
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
    guard !folder.isEmpty else { throw ValidationError("The name of the folder is empty; name one.") }
    guard (1...100_000).contains(count) else { throw ValidationError("--count is \(count); it has to be 1 to 100000.") }
    guard (1...36_500).contains(days) else { throw ValidationError("--days is \(days); it has to be 1 to 36500.") }
    guard (16...8_192).contains(width) else { throw ValidationError("--width is \(width); it has to be 16 to 8192.") }
  }

  func run() async throws {
    do { try await SamplePictures.write(count, days: days, width: width, seed: 1, to: URL(filePath: folder)) } catch {
      throw CommandError("The pictures cannot be written to \(folder): \(error.reason) Name a new folder.")
    }
    say("\(count) pictures in \(folder); now: moments import \(folder)")
  }
}
