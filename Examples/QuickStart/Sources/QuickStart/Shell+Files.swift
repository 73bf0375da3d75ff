// A file beside an object: copied into the store at once, brought to the server when there is one, fetched when it is seen.
import ModelRuntime

extension Shell {
  /// Puts a picture beside the first note.
  func attach(_ path: String) async throws {
    let note = try note()
    let file = try await store.file(from: .path(path))
    store.update(note.id) { $0.picture = file }
  }

  /// The picture of the first note: from this device, or from the server, as soon as it is there.
  func look() async throws -> String {
    let note = try note()
    guard let picture = note.picture else { throw ShellError("the note has no picture") }
    let file = try await store.files.read(picture, in: note.queueID)
    return "\(picture.name): \(picture.mime), \(try file.bytes().count) bytes\n"
  }
}
