// Open lists show what the schema declares: sections, conditions and limits, also with absent values.

import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing
import TypeMatrix

@Suite struct ListSectionTests {
  let folder: TemporaryFolder
  let store: ModelStore

  init() throws {
    folder = try TemporaryFolder()
    store = try ModelStore(at: folder.url.path, schema: TypeMatrixSchema.self, user: UserID(high: 1, low: 1))
  }

  /// Opens a list and waits until it is complete: objects of this device leave the outbox as soon as they are saved,
  /// and a list reads those from disk in the background.
  private func open<Section: ListSection>(
    _ definition: ListDefinition<EveryOptional, Section>, calendar: ListCalendar = .current
  ) async throws -> ListHandle<EveryOptional, Section> {
    let list = store.list(definition, calendar: calendar)
    for await update in list.updates where update.isComplete { return list }
    throw CancellationError()
  }

  /// A line for each section: its description, and the texts of its objects.
  private func shown<Section: ListSection>(
    _ list: ListHandle<EveryOptional, Section>, _ text: (EveryOptional) -> String
  ) throws -> [String] {
    let snapshot = list.snapshot
    return try snapshot.sections.map { section in
      let texts = try section.ids.map { text(try #require(try store.object($0))) }
      return "\(section.id): \(texts.joined(separator: " "))"
    }
  }

  @discardableResult
  private func create(_ change: (inout EveryOptional) -> Void) -> EveryOptional.ID {
    var object = EveryOptional()
    change(&object)
    store.create(object)
    return object.id
  }

  @Test func weeksBeginOnFirstWeekdayOfCalendar() async throws {
    // Wednesday to Friday, and one object without a time. The list shows the newest first.
    for day in Int64(20)...22 {
      create { $0.aTimestamp = Timestamp(millisecondsSince1970: (day * 86_400 + 3_600) * 1_000) }
    }
    create { _ in }
    func days(_ first: CalendarWeekday) async throws -> [String] {
      let calendar = ListCalendar(timeZone: .gmt, firstWeekday: first)
      return try shown(await open(EveryOptional.byWeek, calendar: calendar)) { object in
        object.aTimestamp.map { "\(ListCalendar(timeZone: .gmt).day(of: $0).day)" } ?? "never"
      }
    }
    let fromMonday = try await days(.monday)
    #expect(fromMonday == ["Optional(1970-01-19/1970-01-25): 23 22 21", "nil: never"])
    let fromFriday = try await days(.friday)
    #expect(
      fromFriday == ["Optional(1970-01-23/1970-01-29): 23", "Optional(1970-01-16/1970-01-22): 22 21", "nil: never"])
  }

  @Test func initialsAreSectionsInBothDirections() async throws {
    for name in ["Zoe", "äpfel", "Anna", "7 of us", "bee", "🦊", "apple"] { create { $0.aString = name } }
    create { _ in }
    let name = { (object: EveryOptional) in object.aString ?? "none" }
    let first = try shown(await open(EveryOptional.byInitial), name)
    #expect(
      first == [
        "Optional(A): Anna äpfel apple", "Optional(B): bee", "Optional(Z): Zoe", "Optional(#): 7 of us 🦊", "nil: none",
      ])
    let last = try shown(await open(EveryOptional.byLastInitial), name)
    #expect(
      last == [
        "Optional(Z): Zoe", "Optional(B): bee", "Optional(A): apple äpfel Anna", "Optional(#): 🦊 7 of us", "nil: none",
      ])
  }

  @Test func anObjectMovesToTheSectionOfItsNewText() async throws {
    let first = create { $0.aString = "Anna" }
    let list = try await open(EveryOptional.byInitial)
    let before = list.snapshot
    #expect(before.section(at: 0)?.letter == "a")
    store.update(first) { $0.aString = "Émile" }
    #expect(list.snapshot.section(at: 0)?.letter == "e" && list.snapshot.sectionCount == 1)
    store.update(first) { $0.aString = "" }
    #expect(list.snapshot.section(at: 0)?.letter == nil && list.snapshot.section(at: 0)?.description == "#")
    #expect(before.section(at: 0)?.letter == "a")
  }

  @Test func listsObjectsThatMeetAnyOfItsConditions() async throws {
    let me = UserID(high: 1, low: 1)
    create { $0.aBool = true }
    create { ($0.aBool, $0.aInt32) = (false, 6) }
    create { ($0.aBool, $0.aInt32) = (false, 5) }
    create { ($0.aBool, $0.aInt32, $0.aColor) = (false, 1, .blue) }
    create { ($0.aBool, $0.aInt32, $0.aColor) = (false, 0, .green) }
    create { ($0.aBool, $0.aInt32, $0.aString) = (false, 2, "a fox") }
    create { ($0.aBool, $0.aInt32, $0.aUser) = (false, 3, me) }
    create { ($0.aBool, $0.aInt32, $0.aUser) = (false, 4, .zero) }
    // Excluded, because the other term does not hold.
    create { ($0.aInt32, $0.aString) = (7, "fox") }
    let numbers = try shown(await open(EveryOptional.anyOfThem)) { $0.aInt32.map { "\($0)" } ?? "none" }
    #expect(numbers == ["Unsectioned(): 1 2 3 6 none"])
  }

  @Test func sectionsOfCasesStayWhenEmpty() async throws {
    let list = store.list(EveryOptional.byColor)
    var updates = list.updates.makeAsyncIterator()
    let first = try #require(await updates.next())
    // Before its first update a view has no sections.
    #expect(first.changes.insertedSections == [0, 1, 2, 3, 4] && first.changes.deletedSections.isEmpty)
    let cases: [RainbowColor?] = [.lowest, .red, .green, .blue, .highest]
    func colors() -> [RainbowColor?] { list.snapshot.sections.map(\.id) }
    func counts() -> [Int] { list.snapshot.sections.map(\.ids.count) }
    #expect(colors() == cases && counts() == [0, 0, 0, 0, 0])
    let green = create { $0.aColor = .green }
    #expect(counts() == [0, 0, 1, 0, 0] && list.snapshot.path(of: green) == SnapshotPath(section: 2, index: 0))
    let unknown = create { $0.aColor = RainbowColor(rawValue: 77) }
    create { _ in }
    #expect(colors() == [.lowest, .red, .green, .blue, RainbowColor(rawValue: 77), .highest, nil])
    #expect(counts() == [0, 0, 1, 0, 1, 0, 1])
    store.update(green) { $0.aColor = .red }
    store.delete(unknown)
    #expect(colors() == cases + [nil] && counts() == [0, 1, 0, 0, 0, 1])
    #expect(store.list(EveryOptional.byLastColor).snapshot.sections.map(\.id) == cases.reversed())
  }

  @Test func rowBehindLimitMovesUpWhenAnotherLeaves() async throws {
    func time(_ minutes: Int64) -> Timestamp { Timestamp(millisecondsSince1970: minutes * 60_000) }
    let ids = (0..<6).map { number in create { $0.aTimestamp = time(Int64(number) * 40) } }
    let list = try await open(EveryOptional.newest)
    func shown() -> [[Int]] { list.snapshot.sections.map { $0.ids.compactMap(ids.firstIndex) } }
    #expect(shown() == [[5, 4, 3]])
    store.update(ids[4]) { $0.aString = "same" }
    store.update(ids[5]) { $0.aString = "same" }
    #expect(shown() == [[5], [3, 2]])
    store.delete(ids[5])
    #expect(shown() == [[4, 3, 2]])
    store.update(ids[3]) { $0.aTimestamp = time(-1) }
    #expect(shown() == [[4], [2, 1]])
    store.update(ids[0]) { $0.aTimestamp = time(500) }
    #expect(shown() == [[0], [4], [2]])
  }
}
