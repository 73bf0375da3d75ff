// The file of a note: copied into the store at once, uploaded when there is a server, downloaded when it is read.
import Foundation
import ModelRuntime

extension Shell {
  /// Attaches a picture to the first note.
  func attach(_ path: String) async throws {
    let note = try note()
    let file = try await store.files.add(from: .url(URL(filePath: path)))
    store.update(note.id) { $0.picture = file }
  }

  /// Reads the picture of the first note from this device, or from the server. Waits until it is there.
  func look() async throws -> String {
    let note = try note()
    guard let picture = note.picture else { throw ShellError("the note has no picture") }
    let file = try await store.files.read(picture, in: note.queueID)
    return "\(picture.name): \(picture.mime), \(try file.bytes().count) bytes\n"
  }
}
