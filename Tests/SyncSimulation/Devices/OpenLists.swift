// The lists and views that an app has open in one life, and the tables on its screen that show them.

import ClientStore
import Determinism
import ModelTypes
import Snapshots
import WireFormat

/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class OpenLists: @unchecked Sendable {
  let liked: ListHandle<Photo, Int64>
  let cards: ViewList<AlbumRoot.Card, Unsectioned>
  let messages: ViewList<Message.Row, Unsectioned>
  let likedTable: ShownTable<Photo, Int64, ObjectID<Photo>>
  let cardTable: ShownTable<AlbumRoot, Unsectioned, AlbumRoot.Card?>
  let messageTable: ShownTable<Message, Unsectioned, Message.Row?>
  private var tasks: [Task<Void, Never>] = []

  init(_ store: ModelStore, _ process: SimulatedProcess) {
    liked = store.open(Photo.liked)
    cards = store.open(AlbumRoot.all, as: AlbumRoot.Card.self)
    messages = store.open(Message.all, as: Message.Row.self)
    likedTable = ShownTable { $0 }
    cardTable = ShownTable { [cards] in (try? cards.view($0)) ?? nil }
    messageTable = ShownTable { [messages] in (try? messages.view($0)) ?? nil }
    tasks = [
      likedTable.follow(liked.updates, process), cardTable.follow(cards.updates, process),
      messageTable.follow(messages.updates, process),
    ]
  }

  func end() { for task in tasks { task.cancel() } }
}

/// Shows what it was told to draw, and changes only where an update says so, as a table on a screen does.
///
/// `@unchecked Sendable`: one thread.
final class ShownTable<Object: Model, Section: ListSection, Cell: Equatable & SendableMetatype>: @unchecked Sendable {
  struct Row {
    var id: ObjectID<Object>
    var cell: Cell
  }

  private(set) var sections: [[Row]] = []
  private(set) var isComplete = false
  /// What a real table would raise.
  private(set) var complaint: String?
  private let draw: (ObjectID<Object>) -> Cell

  init(_ draw: @escaping (ObjectID<Object>) -> Cell) { self.draw = draw }

  var rows: [Row] { sections.flatMap { $0 } }

  func follow(_ updates: ListUpdates<Object, Section>, _ process: SimulatedProcess) -> Task<Void, Never> {
    Task(executorPreference: process.executor) { for await update in updates { self.perform(update) } }
  }

  private func perform(_ update: ListUpdate<Object, Section>) {
    let (changes, snapshot) = (update.changes, update.snapshot)
    isComplete = update.isComplete
    var next = sections.map { $0.map(Optional.some) }
    for path in changes.deletes.map(\.path) + changes.moves.map(\.from) {
      guard next.indices.contains(path.section), next[path.section].indices.contains(path.index) else {
        return complain("nothing is at \(path), which goes")
      }
      next[path.section][path.index] = nil
    }
    var left = next.map { $0.compactMap { $0 } }
    for number in changes.deletedSections.reversed() { left.remove(at: number) }
    for number in changes.insertedSections {
      guard number <= left.count, number < snapshot.sectionCount else { return complain("no section \(number) fits") }
      left.insert(snapshot.sections[number].ids.map(row), at: number)
    }
    for path in (changes.inserts.map(\.path) + changes.moves.map(\.to)).sorted() {
      guard left.indices.contains(path.section), path.index <= left[path.section].count else {
        return complain("nothing fits at \(path)")
      }
      left[path.section].insert(row(snapshot.id(at: path)), at: path.index)
    }
    for path in changes.updates.map(\.to) {
      guard left.indices.contains(path.section), left[path.section].indices.contains(path.index) else {
        return complain("nothing is at \(path), which is drawn again")
      }
      left[path.section][path.index] = row(left[path.section][path.index].id)
    }
    sections = left
    let isRight = left.map { $0.map(\.id) }.elementsEqual(snapshot.sections.map { Array($0.ids) })
    if !isRight { complain("after an update it shows other rows than the snapshot has") }
  }

  private func row(_ id: ObjectID<Object>) -> Row { Row(id: id, cell: draw(id)) }

  private func complain(_ words: String) { complaint = complaint ?? words }
}
