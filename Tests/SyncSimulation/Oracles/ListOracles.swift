// Compares open lists, views and counts with a new sort of everything that the device should show.

import ClientStore
import ModelTypes
import WireFormat

extension Oracles {
  func listsAreTheScreen(_ device: Device, _ lists: OpenLists) {
    let shown = device.shown
    for complaint in [lists.likedTable.complaint, lists.cardTable.complaint, lists.messageTable.complaint] {
      if let complaint { report("wrong in a list: a table of \(device.name): \(complaint)") }
    }
    guard shown.unreadable.isEmpty else { return }
    check(lists.liked, shown.liked, on: device)
    check(lists.cards.list, shown.albums.isEmpty ? [] : [(Unsectioned(), shown.likedAlbums)], on: device)
    check(
      lists.messages.list, shown.messages.isEmpty ? [] : [(Unsectioned(), shown.newestMessages)], on: device)
    check(lists.cards, lists.cardTable, on: device, shown.card)
    check(lists.messages, lists.messageTable, on: device) { shown.row($0, on: device.user) }
  }

  private func check<Object: Model, Section: ListSection>(
    _ list: ListHandle<Object, Section>, _ expected: [(Section, [UUIDValue])], on device: Device
  ) {
    let snapshot = list.snapshot
    guard snapshot.isComplete else {
      if Set(snapshot.ids).count != snapshot.count {
        report("wrong in a list: \(device.name) shows a \(Object.modelName) twice")
      }
      return
    }
    let found = snapshot.sections.map { ($0.id, $0.ids.map(\.rawValue)) }
    if !found.elementsEqual(expected, by: { $0.0 == $1.0 && $0.1 == $1.1 }) {
      report(
        "wrong in a list: \(device.name), \(Object.modelName): \(Self.words(found)), and not \(Self.words(expected))")
    }
  }

  private static func words<Section>(_ sections: [(Section, [UUIDValue])]) -> String {
    sections.map { "\($0.0): \($0.1.map(\.short))" }.joined(separator: "; ")
  }

  /// Reports a view that is wrong when it is asked for, and a row that its table has not drawn again since the view
  /// changed.
  private func check<View: ModelView>(
    _ views: ViewList<View, Unsectioned>, _ table: ShownTable<View.Object, Unsectioned, View?>, on device: Device,
    _ expected: (UUIDValue) -> View?
  ) {
    guard views.isComplete else { return }
    for id in views.list.snapshot.ids {
      let view = (try? views.view(id)) ?? nil
      if view != expected(id.rawValue) {
        report(
          "wrong in a view: \(device.name): \(view.map { "\($0)" } ?? "nothing"), and not "
            + (expected(id.rawValue).map { "\($0)" } ?? "nothing"))
      }
    }
    // The store is at rest, so a complete table has got all updates.
    guard table.isComplete else { return }
    let drawn = table.drawings
    for id in views.list.snapshot.ids where drawn[id] != .some(expected(id.rawValue)) {
      report(
        "wrong on a table: \(device.name) has drawn \((drawn[id] ?? nil).map { "\($0)" } ?? "nothing"), and it is "
          + (expected(id.rawValue).map { "\($0)" } ?? "nothing"))
    }
  }

  /// Reports a list that is not complete at the end, or a table that has not drawn it as complete.
  func listsAreWhole(_ device: Device) {
    guard let lists = device.life?.lists else { return }
    let tables = [lists.likedTable.isComplete, lists.cardTable.isComplete, lists.messageTable.isComplete]
    if lists.liked.isComplete, lists.cards.isComplete, lists.messages.isComplete, !tables.contains(false) { return }
    let error = lists.liked.error.map { "\($0)" } ?? "no error"
    report("a list of \(device.name) is not whole at the end: \(tables), \(error)")
  }
}

extension ShownObjects {
  fileprivate var liked: [(Int64, [UUIDValue])] {
    let shown = photos.values.filter { $0.caption != nil }.sorted { left, right in
      (-left.likes, left.tags.count, left.id.rawValue) < (-right.likes, right.tags.count, right.id.rawValue)
    }
    var sections: [(Int64, [UUIDValue])] = []
    for photo in shown {
      if sections.last?.0 != photo.likes { sections.append((photo.likes, [])) }
      sections[sections.count - 1].1.append(photo.id.rawValue)
    }
    return sections
  }

  /// Those about a photo with a caption first, then the newest, of one time the smallest id.
  fileprivate var newestMessages: [UUIDValue] {
    messages.values.map { message in
      let caption = photos[message.photo.rawValue]?.caption
      return (caption == nil ? 1 : 0, -(origins[message.id.rawValue]?.at ?? 0), message.id.rawValue)
    }.sorted(by: <).map(\.2)
  }

  /// By the likes of the newest photo, those without a photo last.
  fileprivate var likedAlbums: [UUIDValue] {
    albums.keys.map { id in
      let likes = newest(of: id, photos.values.filter { $0.album.rawValue == id })?.likes
      return (likes == nil ? 1 : 0, -(likes ?? 0), id)
    }.sorted(by: <).map(\.2)
  }

  private func created(_ photo: Photo) -> Int64 { origins[photo.id.rawValue]?.at ?? 0 }

  private func newest(of album: UUIDValue, _ photos: [Photo]) -> Photo? {
    photos.max { (created($0), $0.id) < (created($1), $1.id) }
  }

  fileprivate func card(_ id: UUIDValue) -> AlbumRoot.Card? {
    albums[id].map { album in
      let here = photos.values.filter { $0.album.rawValue == id }
      return AlbumRoot.Card(
        id: album.id, title: album.title, photos: here.count,
        fresh: here.count { created($0) > origins[id]?.changedAt ?? 0 }, captions: Self.captions(of: here),
        likes: here.reduce(0) { $0 &+ $1.likes },
        newest: newest(of: id, here)?.id)
    }
  }

  /// How many photos have each caption: the most frequent first, then by letters, those without a caption last.
  private static func captions(of photos: [Photo]) -> [ValueCount<String?>] {
    let counts = Dictionary(grouping: photos, by: \.caption).map { ValueCount(value: $0.key, count: $0.value.count) }
    return counts.sorted { left, right in
      if left.count != right.count { return left.count > right.count }
      guard let first = left.value, let second = right.value else { return left.value != nil }
      return (first.lowercased(), first) < (second.lowercased(), second)
    }
  }

  fileprivate func row(_ id: UUIDValue, on user: UserID) -> Message.Row? {
    messages[id].map { message in
      Message.Row(
        id: message.id, author: message.author, caption: photos[message.photo.rawValue]?.caption,
        isOwn: origins[id]?.by == user, updated: origins[id]?.changedAt ?? 0)
    }
  }
}
