// The memo of views says which rows have to be drawn again.

import ModelSupport
import MomentsModels
import SampleIDs
import Testing

@testable import ClientStore

@Suite struct ViewMemoTests {
  private struct Name: ModelView {
    var id: Member.ID
    var name: String

    init(of member: Member, from source: some ViewSource) throws { (id, name) = (member.id, member.name) }
  }

  /// A table has drawn the error, so it has to draw the row again, although the view is what it was before.
  @Test func aRowThatCanBeReadAgainHasChanged() throws {
    let temporary = try TemporaryStore()
    let moment = Moment(title: "Alps")
    let anna = Member(moment: moment.id, user: UserID(high: 7, low: 7), name: "Anna")
    let reading = ViewReading(temporary.store, nil)
    let (row, view) = (anna.id.rawValue, try Name(of: anna, from: reading))
    var memo = ViewMemo<Name>()
    memo.put(row, view, isPending: false, reading, begunIn: memo.generation)
    #expect(memo.changeCount == 0)
    memo.putUnreadable(row, isPending: false, reading)
    #expect(memo.changeCount == 1 && memo.rows[row]?.isStale == true)
    memo.putUnreadable(row, isPending: false, reading)
    #expect(memo.changeCount == 1, "the error is the same")
    memo.put(row, view, isPending: false, reading, begunIn: memo.generation)
    #expect(memo.changeCount == 2 && memo.rows[row]?.changedAt == 2)
  }
}
