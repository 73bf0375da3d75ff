// Drafts of fields, what others do meanwhile, and which values are drafts at all.

import ModelSupport
import MomentsModels
import Testing

@testable import ModelRuntimeUI

@Suite struct DraftTests {
  private let photo = Photo(
    moment: .zero, owner: .zero, file: .zero, takenAt: .zero, caption: "Hut", tags: ["hut"],
    place: Photo.Place(latitude: 1, longitude: 2))

  @Test func lastDraftOfAFieldCounts() {
    var draft = Draft(of: photo)
    draft.set(\.caption, to: "A", in: photo)
    draft.set(\.caption, to: "AB", in: photo)
    #expect(draft.merged(into: photo).caption == "AB")
  }

  /// A field of a struct and the struct itself overlap: what was set last is shown.
  @Test func overlappingFieldsAreSetInTheirOrder() {
    var draft = Draft(of: photo)
    draft.set(\.place!.latitude, to: 9, in: photo)
    draft.set(\.place, to: Photo.Place(latitude: 5, longitude: 6), in: photo)
    #expect(draft.merged(into: photo).place?.latitude == 5)
    draft.set(\.place!.latitude, to: 7, in: photo)
    #expect(draft.merged(into: photo).place == Photo.Place(latitude: 7, longitude: 6))
  }

  /// Others insert and remove elements while a set is edited.
  @Test func setMergesWithWhatOthersDo() {
    var draft = Draft(of: photo)
    draft.set(\.tags, to: ["hut", "summit"], in: photo)
    var theirs = photo
    theirs.tags = ["lake"]
    #expect(draft.merged(into: theirs).tags == ["lake", "summit"])
    draft.set(\.tags, to: ["summit"], in: theirs)
    theirs.tags.insert("sun")
    #expect(draft.merged(into: theirs).tags == ["summit", "sun"])
  }

  @Test func textThatIsAsBeforeIsNoEdit() {
    var draft = Draft(of: photo)
    draft.set(\.caption, to: "Hut t", in: photo)
    draft.set(\.caption, to: "Hut", in: photo)
    var theirs = photo
    theirs.caption = "Theirs"
    #expect(draft.merged(into: theirs).caption == "Theirs")
  }

  @Test func togglesAndPickersDoNotWait() {
    #expect(isChosen(Bool.self) && isChosen(Bool?.self) && isChosen(MomentNotification.Kind.self))
    #expect(isChosen(MomentNotification.Kind?.self))
    #expect(!isChosen(String.self) && !isChosen(String?.self) && !isChosen(Double.self) && !isChosen(Timestamp?.self))
  }
}
