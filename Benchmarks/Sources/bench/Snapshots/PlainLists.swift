// Plain lists to compare snapshots with. They do as little as they can.

/// One sorted array; a change copies it, and finds all sections again.
struct FlatList {
  private(set) var photos: [SampleList.Photo]
  private(set) var starts: [Int32] = []

  init(_ photos: [SampleList.Photo]) {
    self.photos = photos
    findSections()
  }

  func moving(_ old: SampleList.Photo, to new: SampleList.Photo) -> FlatList {
    var next = self
    let place = photos.place { ($0.date, $0.row) < (old.date, old.row) }
    next.photos.remove(at: min(place, photos.count - 1))
    next.photos.insert(new, at: next.photos.place { ($0.date, $0.row) < (new.date, new.row) })
    next.findSections()
    return next
  }

  private mutating func findSections() {
    starts = []
    for index in photos.indices where index == 0 || photos[index - 1].day != photos[index].day {
      starts.append(Int32(index))
    }
  }
}

/// The lists of Carousel: an array of sections, and the start of each. A change copies both, and one section.
struct SectionList {
  private(set) var sections: [[SampleList.Photo]] = []
  private(set) var starts: [Int] = []

  init(_ photos: [SampleList.Photo]) {
    for photo in photos {
      if sections.last?.last?.day != photo.day { sections.append([]) }
      sections[sections.count - 1].append(photo)
    }
    findStarts(from: 0)
  }

  func row(at position: Int) -> UInt32 {
    let section = starts.place { $0 <= position } - 1
    return sections[section][position - starts[section]].row
  }

  func moving(_ old: SampleList.Photo, to new: SampleList.Photo) -> SectionList {
    var next = self
    let source = next.sections.place { ($0.last?.day ?? 0) < old.day }
    if source < next.sections.count {
      let place = next.sections[source].place { ($0.date, $0.row) < (old.date, old.row) }
      next.sections[source].remove(at: min(place, next.sections[source].count - 1))
      if next.sections[source].isEmpty { next.sections.remove(at: source) }
    }
    let target = next.sections.place { ($0.last?.day ?? 0) < new.day }
    if target == next.sections.count || next.sections[target][0].day != new.day {
      next.sections.insert([new], at: target)
    } else {
      next.sections[target].insert(new, at: next.sections[target].place { ($0.date, $0.row) < (new.date, new.row) })
    }
    next.findStarts(from: min(source, target))
    return next
  }

  private mutating func findStarts(from first: Int) {
    starts.removeLast(max(0, starts.count - first))
    var start = first == 0 ? 0 : starts[first - 1] + sections[first - 1].count
    for section in sections[first...] {
      starts.append(start)
      start += section.count
    }
  }
}

extension Array {
  /// The number of leading elements for which `isBefore` holds. The array must be sorted.
  fileprivate func place(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
