// What is typed is shown at once, and becomes one operation after a pause, whatever becomes of the view.

import ModelSupport
import MomentsModels
import Observation
import StoreTestSupport
import Testing

@testable import ModelRuntimeUI

@MainActor
@Suite struct StoreEditsTests {
  let world: EditWorld
  var store: ModelStore { world.store }
  var edits: StoreEdits { world.edits }

  init() throws { world = try EditWorld() }

  @Test(.timeLimit(.minutes(60))) func typingIsOneOperationAfterAPause() async throws {
    for title in ["Hut ", "Hut t", "Hut to"] { world.type(title) }
    #expect(try world.shown() == "Hut to")
    #expect(try world.stored()?.title == "Hut")
    while world.operations == 0 {
      world.time.pass(100) {}
      await Task.yield()
    }
    #expect(world.operations == 1)
    #expect(try world.stored()?.title == "Hut to")
    #expect(try world.shown() == "Hut to")
  }

  @Test func severalFieldsAreOneOperation() throws {
    world.type("Hut to hut")
    edits.set(\.startsAt, to: Timestamp(millisecondsSince1970: 5), of: world.moment.id)
    edits.perform(world.moment.id)
    #expect(world.operations == 1)
    #expect(try world.stored()?.startsAt == Timestamp(millisecondsSince1970: 5))
    #expect(try world.stored()?.title == "Hut to hut")
  }

  @Test func othersEditsAreShownBesideADraft() throws {
    world.type("Mine")
    store.update(world.moment.id) { moment in
      moment.title = "Theirs"
      moment.startsAt = Timestamp(millisecondsSince1970: 7)
    }
    #expect(try world.shown() == "Mine")
    edits.performAll()
    #expect(try world.stored()?.title == "Mine")
    #expect(try world.stored()?.startsAt == Timestamp(millisecondsSince1970: 7))
  }

  @Test func leavingTheAppPerformsEverything() throws {
    let other = Moment(title: "Lake")
    store.create(other)
    world.type("Hut to hut")
    edits.set(\.title, to: "Lakes", of: other.id)
    edits.performAll()
    #expect(try world.stored()?.title == "Hut to hut")
    #expect(try store.object(other.id)?.title == "Lakes")
  }

  @Test func chosenValueIsPerformedAtOnceWithWhatWasTyped() throws {
    let photo = Photo(moment: world.moment.id, owner: .zero, file: .zero, takenAt: .now)
    store.create(photo)
    let before = store.pendingOperations.count
    edits.set(\.caption, to: "Summit", of: photo.id)
    edits.set(\.hidden, to: true, of: photo.id)
    #expect(store.pendingOperations.count == before + 1)
    #expect(try store.object(photo.id)?.hidden == true)
    #expect(try store.object(photo.id)?.caption == "Summit")
  }

  @Test func textForADeletedObjectIsReported() throws {
    world.type("Too late")
    store.delete(world.moment.id)
    edits.performAll()
    #expect(store.failedOperations.map(\.name) == ["moment.update"])
    #expect(try world.shown() == nil)
  }

  @Test(.timeLimit(.minutes(60))) func editOutlivesItsViews() async throws {
    var edits: StoreEdits? = StoreEdits(store)
    edits?.set(\.title, to: "Left at once", of: world.moment.id)
    edits = nil
    while world.operations == 0 {
      world.time.pass(100) {}
      await Task.yield()
    }
    #expect(try world.stored()?.title == "Left at once")
  }

  /// Another view of the same object shows what is typed, and each letter draws it again.
  @Test func everyViewOfTheObjectSeesEachLetter() throws {
    for title in ["H", "Hu"] {
      var isTold = false
      withObservationTracking {
        _ = try? world.shown()
      } onChange: {
        MainActor.assumeIsolated { isTold = true }
      }
      world.type(title)
      #expect(isTold)
      #expect(try world.shown() == title)
    }
  }
}
