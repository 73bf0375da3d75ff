// Open lists and views. Complete ones equal a sort of all objects; while they are read, they show nothing wrong.

import ModelSupport
import TestSupport

struct OpenLists {
  let byViews: ListHandle<Note, Int64>
  let lines: ViewList<Note.Line, Unsectioned>
  let byLength: ListHandle<Draft, Unsectioned>
  let named: ListHandle<Note, Int64>

  init(_ store: ModelStore) {
    named = store.list(Note.named)
    (byViews, byLength) = (store.list(Note.byViews), store.list(Draft.byLength))
    lines = store.list(Note.tagged, as: Note.Line.self)
  }

  var tagged: ListHandle<Note, Unsectioned> { lines.list }
}

extension StoreSimulation {
  static let listNames = [
    "a whole list", "a list that is read", "a list that could not be read", "opening lists", "a view",
    "a view of no object", "a view whose counts are read",
  ]

  func openLists() -> String {
    lists = OpenLists(store)
    return "opening lists"
  }

  func checkOpenLists(_ notes: [NoteID: NoteValue]) throws {
    guard let lists else { return }
    let expected = ExpectedLists(notes, oracle.memory.drafts, in: queue)
    // Skips lists at random, so that some are not looked at for long.
    if random.chance(60) {
      try check(lists.byViews, expected.byViews.sorted { $0.key > $1.key }.map { ($0.key, $0.value) })
    }
    if random.chance(60) {
      try check(lists.named, expected.named.sorted { $0.key > $1.key }.map { ($0.key, $0.value) })
    }
    if random.chance(60) { try check(lists.tagged, expected.tagged.isEmpty ? [] : [(Unsectioned(), expected.tagged)]) }
    if random.chance(60) {
      try check(lists.byLength, expected.byLength.isEmpty ? [] : [(Unsectioned(), expected.byLength)])
    }
    if random.chance(60) { try check(lists.lines, notes) }
    let snapshot = lists.tagged.snapshot
    // Objects that operations touch are right, even while the rest is still read.
    for id in Set(oracle.memory.pending.flatMap { $0.effects.map(\.note) }) {
      if snapshot.contains(id) != expected.tagged.contains(id) {
        throw Violation(description: "lists: \(id) is pending, and in a list: \(snapshot.contains(id))")
      }
    }
  }

  private func check<Object: Model, Section: ListSection>(
    _ list: ListHandle<Object, Section>, _ expected: [(Section, [ObjectID<Object>])]
  ) throws {
    if list.error != nil { count("a list that could not be read") }
    let snapshot = list.snapshot
    let found = snapshot.sections.map { ($0.id, Array($0.ids)) }
    guard snapshot.isComplete else {
      count("a list that is read")
      if Set(snapshot.ids).count != snapshot.count { throw Violation(description: "lists: an object is there twice") }
      return
    }
    count("a whole list")
    let isRight = found.elementsEqual(expected) { $0.0 == $1.0 && $0.1 == $1.1 }
    if !isRight { throw Violation(description: "lists: \(Object.modelName) are \(found), not \(expected)") }
  }

  /// Checks the view of every note, whether the list has the note or not.
  private func check(_ lines: ViewList<Note.Line, Unsectioned>, _ values: [NoteID: NoteValue]) throws {
    for id in notes {
      let line = try lines.view(id)
      // Counts grow until all objects that are counted were read.
      guard lines.isComplete else {
        count("a view whose counts are read")
        continue
      }
      count(line == nil ? "a view of no object" : "a view")
      let expected = Note.Line(of: id, in: queue, values)
      if line != expected {
        throw Violation(description: "views: \(id) is \(line as Any), not \(expected as Any)")
      }
    }
  }

  /// If nothing is left to do and the disk works, every list must be complete.
  func checkListsAreWhole() throws {
    guard let lists else { return }
    // Lists that views count are read only when the list itself is complete.
    for _ in 0..<3 {
      let states = [
        lists.byViews.isComplete, lists.lines.isComplete, lists.byLength.isComplete, lists.named.isComplete,
      ]
      if states.allSatisfy({ $0 }) { return }
      executor.runUntilIdle()
    }
    let errors = [lists.byViews.error, lists.tagged.error, lists.byLength.error, lists.named.error]
    throw Violation(description: "lists: one is not whole, \(errors)")
  }
}
