// Tests of an app: two people, a notebook that they share, and the server in the process of the test.

import ModelRuntime
import ModelTesting
import Testing

@testable import QuickStart

@Suite struct NotebookTests {
  let (anna, ben): (PreviewDevice, PreviewDevice)
  let notebook = Notebook(title: "Garden")
  let beans: Item

  /// Anna has a notebook with one item. Ben may read it, and tick what he has bought.
  init() async throws {
    let server = try PreviewServer(QuickStartSchema.self)
    (anna, ben) = (try server.device("anna"), try server.device("ben"))
    beans = Item(notebook: notebook.id, name: "beans")
    anna.store.create(notebook)
    anna.store.create(beans)
    anna.store.perform(Notebook.Guest(notebook.id, user: ben.user))
    for device in [anna, ben] { try await device.sync() }
  }

  @Test func offlineTickReachesOthersLater() async throws {
    ben.network = .offline
    ben.store.perform(Item.Tick(beans.id))
    #expect(try ben.store.object(beans.id)?.done == true, "at once")
    await #expect(throws: SyncError.self) { try await ben.sync() }
    ben.network = .online
    for device in [ben, anna] { try await device.sync() }
    #expect(try anna.store.object(beans.id)?.done == true)
  }

  @Test func conflictingEditsOfOneNoteMerge() async throws {
    let tablet = try anna.anotherDevice()
    let note = Note(notebook: notebook.id, text: "Sow in May", createdAt: .now)
    anna.store.create(note)
    for device in [anna, tablet] { try await device.sync() }
    tablet.store.update(note.id) { $0.text = "Sow in June" }
    anna.store.perform(Note.Label(note.id, word: "spring"))
    for device in [tablet, anna, tablet] { try await device.sync() }
    for device in [tablet, anna] {
      let seen = try #require(try device.store.object(note.id))
      #expect(seen.text == "Sow in June" && seen.labels == ["spring"])
    }
  }

  /// A marker that an older device raises late does not go back.
  @Test func readMarkerNeverGoesBack() async throws {
    let phone = try ben.anotherDevice()
    let notes = ["Sow", "Water"].map { Note(notebook: notebook.id, text: $0, createdAt: .now) }
    for note in notes {
      anna.store.create(note)
      for device in [anna, ben, phone] { try await device.sync() }
    }
    func unread(_ device: PreviewDevice) throws -> Int? {
      try device.store.view(Notebook.Row.self, of: notebook.id)?.unread
    }
    #expect(try unread(anna) == 0 && unread(ben) == 2, "one's own notes are not unread")
    let times = try notes.map { try #require(try ben.store.systemFields(of: $0.id)?.createdAt) }
    phone.network = .offline
    phone.store.perform(Notebook.Read(notebook.id, upTo: times[0]))
    #expect(try unread(phone) == 1)
    ben.store.perform(Notebook.Read(notebook.id, upTo: times[1]))
    try await ben.sync()
    phone.network = .online
    for device in [phone, ben] { try await device.sync() }
    #expect(try unread(phone) == 0 && unread(ben) == 0)
  }

  @Test func guestIsRefusedAndToldWhy() async throws {
    ben.store.delete(beans.id)
    #expect(ben.store.failedOperations.map(\.reason.code) == [.forbidden])
    #expect(try ben.store.object(beans.id) != nil && !ben.store.can(.delete, beans.id))
  }
}
