// Makes a notebook with a note, keeps them in a store, opens it again and shows that nothing was lost.
import Foundation
import ModelRuntime

func tour() async throws {
  let notebook = Notebook(title: "Garden")
  let note = Note(
    notebook: notebook.id, text: "Sow the beans", createdAt: Timestamp(millisecondsSince1970: 1_767_225_600_000),
    labels: ["spring", "beans"])

  // A model is a value, and its bytes are the protobuf wire format.
  let blob = try note.encoded()
  let decoded = try Note(id: note.id, blob: blob)
  print("\(notebook.title): \(decoded.text), labels \(decoded.labels.joined(separator: ", "))")
  print("\(blob.count) bytes, \(decoded == note ? "equal after decoding" : "DIFFERENT AFTER DECODING")")

  // A store shows the user's changes at once, and keeps them.
  let folder = FileManager.default.temporaryDirectory.appending(path: "quickstart-\(UUID().uuidString)")
  let me = UserID(UUIDValue.random())
  do {
    let store = try ModelStore(at: folder, schema: QuickStartSchema.self, user: me)
    store.create(notebook)
    store.create(note)
    store.update(note.id) { $0.labels.insert("garden") }
    store.perform(Note.Pin(note.id))
    let pinned = try store.object(note.id)?.pinned == true
    print("visible at once: \(pinned), \(store.pendingOperations.count) operations wait to be sent")
    try await store.close()
  }
  do {
    let store = try ModelStore(at: folder, schema: QuickStartSchema.self, user: me)
    let notes = try store.objects(Note.self, orderedBy: .descending(\.createdAt))
    let labels = notes.first?.labels.joined(separator: ", ") ?? "NOTHING"
    print(
      "after opening it again: \(notes.count) note, labels \(labels), \(store.pendingOperations.count) operations wait")
  }
  try FileManager.default.removeItem(at: folder)
}
