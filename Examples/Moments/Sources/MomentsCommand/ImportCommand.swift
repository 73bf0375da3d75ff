// `moments import FOLDER`: pictures and videos of a folder become photos of the user's library.
import ArgumentParser
import Foundation
import Moments

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import the pictures and videos of a folder, at any depth; a second time adds nothing.",
    discussion: "Ends with 1 where a picture could not be imported.")

  @Argument(help: "The folder with pictures.", completion: .directory)
  var folder: String

  @OptionGroup var options: DeviceOptions

  func validate() throws {
    guard !folder.isEmpty else { throw ValidationError("The name of the folder is empty; name one.") }
  }

  func run() async throws {
    // Reads the folder first. Otherwise a mistyped first try would create a store, perhaps with the wrong user.
    let list = try PhotoFolder(URL(filePath: folder)).list()
    let device = try options.open()
    // Syncs first, so that a library which the user has on another device is used here too.
    do { try await device.client?.syncOnce() } catch {
      say("not synced: \(error.reason)\nThe pictures are imported all the same; `moments serve` syncs them.")
    }
    let begin = ContinuousClock.now
    var bar = ProgressBar()
    let report = try await device.importPhotos(list) {
      bar.show($0.done, of: $0.total)
    }
    bar.end()
    for (name, reason) in report.failed { say("not imported: \(name): \(reason)") }
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    let rate = seconds > 0 ? " (\(Int(Double(report.done) / seconds)) pictures a second)" : ""
    say("\(report.added) added, \(report.known) known, \(report.failed.count) failed\(rate)")
    if report.guessed > 0 { say("\(report.guessed) added with a guessed date, that of the file's last change") }
    if list.pictures.isEmpty { say("There are no pictures or videos in \(folder); other files are left out.") }
    for line in Self.lines(of: report.leftOut) { say(line) }
    try await device.store.close()
    guard report.failed.isEmpty else {
      say("\(report.failed.count) of \(report.total) pictures were not imported; the lines above say why.")
      throw ExitCode.failure
    }
  }

  /// For each kind of file that was left out, how many there are, and the first 20 names.
  static func lines(of files: [LeftOutFile]) -> [String] {
    LeftOutFile.Kind.allCases.flatMap { kind -> [String] in
      let names = files.filter { $0.kind == kind }.map(\.name)
      guard !names.isEmpty else { return [] }
      let more = names.count > 20 ? ["  and \(names.count - 20) more"] : []
      return ["left out, \(kind.rawValue): \(names.count)"] + names.prefix(20).map { "  \($0)" } + more
    }
  }
}
