// Creates a notebook with a note, encodes the note, decodes it again and shows that nothing was lost.
import ModelRuntime

let notebook = Notebook(title: "Garden")
var note = Note(
  notebook: notebook.id, text: "Sow the beans", createdAt: Timestamp(millisecondsSince1970: 1_767_225_600_000),
  labels: ["spring", "beans"])
note.pinned = true

let blob = try note.encoded()
let decoded = try Note(id: note.id, blob: blob)

print("\(notebook.title): \(decoded.text), labels \(decoded.labels.joined(separator: ", "))")
print("\(blob.count) bytes, \(decoded == note ? "equal after decoding" : "DIFFERENT AFTER DECODING")")
