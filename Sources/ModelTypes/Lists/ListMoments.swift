// The moments at which an object is in a list whose condition names `$now` or `$today`.

/// The moments at which a term of `where:` holds: all before `end`, and all from `start` on.
public struct ListTermMoments: Hashable, Sendable {
  /// The term holds before this moment; `.min` for none. In milliseconds since 1970, like all moments here.
  var end: Int64
  /// The term holds from this moment on; `.max` for none.
  var start: Int64

  /// No moment: the term does not hold, whatever the time is.
  public static var never: Self { Self(end: .min, start: .max) }
  /// All moments: the term holds, whatever the time is.
  public static var always: Self { Self(end: .max, start: .min) }

  static func before(_ moment: Int64) -> Self { Self(end: moment, start: .max) }
  static func since(_ moment: Int64) -> Self { Self(end: .min, start: moment) }

  /// Adds the moments of another term, so that one of the two must hold.
  public mutating func formUnion(_ other: Self) {
    end = max(end, other.end)
    start = min(start, other.start)
  }
}

/// The moments at which all terms hold: from `start` until `end`, without the gaps.
public struct ListMoments: Hashable, Sendable {
  private var start = Int64.min
  private var end = Int64.max
  private var gaps: [Range<Int64>] = []

  /// All moments.
  package init() {}

  /// Adds a term that must hold too.
  public mutating func require(_ term: ListTermMoments) {
    guard term.end < term.start else { return }
    switch (term.end, term.start) {
    case (.min, let start): self.start = max(self.start, start)
    case (let end, .max): self.end = min(self.end, end)
    case (let end, let start): gaps.append(end..<start)
    }
  }

  var isAlways: Bool { start == .min && end == .max && gaps.isEmpty }

  /// Whether there is no moment at all, as far as `start` and `end` tell.
  var isNever: Bool { start >= end }

  package func contains(_ moment: Int64) -> Bool {
    start <= moment && moment < end && !gaps.contains { $0.contains(moment) }
  }

  /// The first moment after this one at which the object may come or go; nil where it does not any more.
  package func next(after moment: Int64) -> Int64? {
    var next = Int64.max
    func consider(_ border: Int64) { if border > moment { next = min(next, border) } }
    consider(start)
    consider(end)
    for gap in gaps {
      consider(gap.lowerBound)
      consider(gap.upperBound)
    }
    return next == .max ? nil : next
  }
}
