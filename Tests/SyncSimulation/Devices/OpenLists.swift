// The lists and views that an app has open in one life, and the tables on its screen that show them.

import ClientStore
import Determinism
import ModelTypes
import Snapshots
import TestSupport
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
    liked = store.list(Photo.liked)
    cards = store.list(AlbumRoot.all, as: AlbumRoot.Card.self)
    messages = store.list(Message.all, as: Message.Row.self)
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

/// A table on the screen, and the task that lets it follow a list.
///
/// `@unchecked Sendable`: one thread.
final class ShownTable<Object: Model, Section: ListSection, Drawing: Equatable & SendableMetatype>: @unchecked Sendable
{
  private var table: StrictTable<ObjectID<Object>, Drawing>
  private(set) var isComplete = false
  /// The first error that a real table would have raised.
  private(set) var complaint: String?
  private let draw: (ObjectID<Object>) -> Drawing

  init(_ draw: @escaping (ObjectID<Object>) -> Drawing) {
    self.draw = draw
    table = StrictTable([], draw: draw)
  }

  /// By row: what the table last drew.
  var drawings: [ObjectID<Object>: Drawing] {
    Dictionary(table.sections.joined().map { ($0.row, $0.drawing) }) { first, _ in first }
  }

  func follow(_ updates: ListUpdates<Object, Section>, _ process: SimulatedProcess) -> Task<Void, Never> {
    Task(executorPreference: process.executor) { for await update in updates { self.perform(update) } }
  }

  private func perform(_ update: ListUpdate<Object, Section>) {
    isComplete = update.isComplete
    let snapshot = update.snapshot
    do {
      try table.perform(update.changes, new: snapshot.sections.map { Array($0.ids) }, row: snapshot.id, draw: draw)
    } catch { complaint = complaint ?? "\(error)" }
  }
}
