// Finds the known word that a misspelt one most likely means, for "did you mean".

enum Suggestion {
  /// Bounds on the work for a hostile schema: longer words get no suggestion, and only the first candidates are
  /// compared.
  private static let longestWord = 64
  private static let mostCandidates = 2_000

  /// A word with more edits than this counts as another word.
  private static let mostEdits = 4

  /// The candidate with the fewest edits from `word`: at most `mostEdits`, and a third of the longer word's length.
  /// Else the only candidate that begins with `word`.
  static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased().utf8)
    guard !typed.isEmpty, typed.count <= longestWord else { return nil }
    var best: (candidate: String, distance: Int)?
    let letters = letters(typed)
    for candidate in candidates.prefix(mostCandidates) {
      let length = candidate.utf8.count
      let limit = limit(typed.count, length)
      guard abs(length - typed.count) <= limit, length <= longestWord else { continue }
      let known = Array(candidate.lowercased().utf8)
      // A cheap bound: one edit changes at most two letters of the set. Most candidates fail it.
      guard (letters ^ Self.letters(known)).nonzeroBitCount <= 2 * limit else { continue }
      let distance = editDistance(typed, known)
      guard distance <= limit, distance < typed.count else { continue }
      if let present = best, (present.distance, present.candidate) <= (distance, candidate) { continue }
      best = (candidate, distance)
    }
    return best?.candidate ?? longer(than: word, among: candidates)
  }

  /// Whether a suggestion is the word that was meant, and no other one of the schema's own: `titel` is `title`, but a
  /// `photo3` that nobody has declared is not `photo2`, and what has two neighbours may be either.
  static func isCertain(_ suggestion: String?, for word: String, among candidates: some Sequence<String>) -> Bool {
    guard let suggestion, digits(suggestion) == digits(word) else { return false }
    func distance(_ candidate: String) -> Int {
      editDistance(Array(word.lowercased().utf8), Array(candidate.lowercased().utf8))
    }
    let least = distance(suggestion)
    return least <= limit(word.utf8.count, suggestion.utf8.count)
      && candidates.prefix(mostCandidates).allSatisfy { candidate in
        candidate == suggestion || abs(candidate.utf8.count - word.utf8.count) > least || distance(candidate) > least
      }
  }

  /// The most edits between two words of these lengths.
  private static func limit(_ typed: Int, _ known: Int) -> Int { max(1, min(mostEdits, max(typed, known) / 3)) }

  private static func digits(_ word: String) -> String { word.filter(\.isNumber) }

  /// The only candidate that begins with the word: `parameters` for `param` or `params`.
  private static func longer(than word: String, among candidates: some Sequence<String>) -> String? {
    let stem = word.hasSuffix("s") ? word.dropLast() : word[...]
    guard stem.utf8.count >= 4 else { return nil }
    let longer = candidates.prefix(mostCandidates).filter { $0.utf8.count <= longestWord && $0.hasPrefix(stem) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// The set of the word's bytes; bytes that are equal modulo 64 share a bit.
  private static func letters(_ word: [UInt8]) -> UInt64 {
    word.reduce(0) { $0 | 1 << UInt64($1 & 63) }
  }

  /// The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
  private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in left.indices {
      var row = [i + 1]
      row.reserveCapacity(right.count + 1)
      for j in right.indices {
        var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[right.count]
  }
}
