// The files that `modelgen init` writes.
import ModelEmitters

enum FirstSchema {
  static let configuration = "modelgen.yaml"
  static let model = "note.yaml"

  static func files(schemaName: String) -> [EmittedFile] {
    [
      EmittedFile(path: configuration, contents: configuration(schemaName)),
      EmittedFile(path: model, contents: note),
    ]
  }

  private static func configuration(_ name: String) -> String {
    """
    schema: \(name)        # gives \(name)Schema, the name that a store is opened with
    access: internal    # or public: for a target whose models another target uses

    """
  }

  private static let note = """
    # One model a file; the file is named after it. `modelgen lint` checks it, `modelgen generate` writes the Swift.
    model: note
    doc: A text that someone wrote down.

    # The queue is what people follow and share. `self`: every note is a queue of its own.
    queue: self

    # NAME: TYPE = TAG. Rename a field as you like (`was: oldName`), but never give its tag another meaning.
    fields:
      title:     string = 1
      text:      string = 2
      createdAt: timestamp = 3
      place:     string? = 4            # optional: nil in Swift
      pinned:
        type: bool = 5
        default: false
        doc: Shown on top.
      labels:    set(string) = 6        # list(…) keeps an order, set(…) does not

    # What a user can do, besides creating, changing and deleting.
    operations:
      pin: { set: { pinned: true } }
      label: { parameters: { label: string }, insert: { labels: $label } }

    # What an app shows: filtered, ordered, in sections.
    lists:
      newest: { order: createdAt descending, section: month(createdAt) }

    """
}
