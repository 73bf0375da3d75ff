// Drafts of fields, and which values are drafts at all.

import ModelSupport
import MomentsModels
import Testing

@testable import ModelRuntimeUI

@Suite struct DraftsTests {
  @Test func lastDraftOfAFieldCounts() {
    var drafts = Drafts<Moment>()
    drafts.set(\.title, to: "A")
    drafts.set(\.title, to: "AB")
    var moment = Moment(title: "old")
    drafts.apply(to: &moment)
    #expect(moment.title == "AB")
  }

  /// A field inside of a message and the message itself overlap: what was set last is shown.
  @Test func overlappingFieldsAreSetInTheirOrder() {
    var drafts = Drafts<Nested>()
    drafts.set(\.inner.text, to: "part")
    drafts.set(\.inner, to: Nested.Inner(text: "whole"))
    var value = Nested()
    drafts.apply(to: &value)
    #expect(value.inner.text == "whole")
    drafts.set(\.inner.text, to: "part again")
    drafts.apply(to: &value)
    #expect(value.inner.text == "part again")
  }

  @Test func togglesAndPickersDoNotWait() {
    #expect(isChosen(Bool.self) && isChosen(Bool?.self) && isChosen(MomentNotification.Kind.self))
    #expect(isChosen(MomentNotification.Kind?.self))
    #expect(!isChosen(String.self) && !isChosen(String?.self) && !isChosen(Double.self) && !isChosen(Timestamp?.self))
  }
}

private struct Nested {
  struct Inner { var text = "" }
  var inner = Inner()
}
