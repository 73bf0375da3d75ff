// A view opens what it shows once, and again only if it is given something else.

import ModelSupport
import MomentsModels
import Testing

@testable import ModelRuntimeUI

@MainActor
@Suite struct OpenedTests {
  private final class Store {}

  @Test func opensOnceForTheSame() {
    let (opened, store, other) = (Opened<Int>(), Store(), Store())
    var count = 0
    func open(_ store: Store, _ key: AnyHashable?) -> Int {
      opened.value(of: [store], key) {
        count += 1
        return count
      }
    }
    #expect([open(store, "a"), open(store, "a"), open(store, "b"), open(store, "a")] == [1, 1, 2, 3])
    #expect([open(other, "a"), open(other, "a"), open(other, nil), open(other, nil)] == [4, 4, 5, 5])
  }

  @Test func listsDifferByNameParameterAndCalendar() {
    let (utc, first, second) = (ListCalendar(), Moment(title: "A").id, Moment(title: "B").id)
    let sunday = ListCalendar(firstWeekday: .sunday)
    #expect(Photo.timeline.key(in: utc) == Photo.timeline.key(in: utc))
    #expect(Photo.timeline.key(in: utc) != Photo.latest.key(in: utc))
    #expect(Photo.timeline.key(in: utc) != Photo.timeline.key(in: sunday))
    #expect(Photo.inMoment(moment: first).key(in: utc) == Photo.inMoment(moment: first).key(in: utc))
    #expect(Photo.inMoment(moment: first).key(in: utc) != Photo.inMoment(moment: second).key(in: utc))
  }
}
