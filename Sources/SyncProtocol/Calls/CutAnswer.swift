// Uses the beginning of an answer that broke off: what has arrived whole counts.

import WireFormat

extension SyncCall<DeltaRequest, [DeltaAnswer]> {
  /// The answers in the beginning of a body, up to its last whole object; nil if it has none.
  ///
  /// The last page may be cut. Then it ends behind its last object, and has no `end`.
  func answers(inBeginning body: [UInt8], to request: DeltaRequest) -> [DeltaAnswer]? {
    guard let cut = CutAnswer(body), var answers = try? answer(cut.body) else { return nil }
    guard cut.isInPage, let last = answers.last, case .page(var page) = last.result else { return answers }
    guard answers.count <= request.queues.count, page.end(behindLastObjectFor: request.queues[answers.count - 1]) else {
      answers.removeLast()
      return answers.isEmpty ? nil : answers
    }
    answers[answers.count - 1].result = .page(page)
    return answers
  }
}

extension DeltaPage {
  /// Makes the page go on behind its last object. Returns false if there is nothing to go on behind.
  fileprivate mutating func end(behindLastObjectFor asked: DeltaRequest.Queue) -> Bool {
    end = nil
    guard asked.cursor != nil, asked.scan == nil else {
      guard let last = objects.last, let live = last.live else { return false }
      scan = ScanCursor(newestBy: live.newestBy, id: last.id)
      return true
    }
    // A page that has come to the head is the last one and has an end, so this one must stop before.
    if objects.last?.revision == head { objects.removeLast() }
    guard let last = objects.last else { return false }
    cursor = last.revision
    return true
  }
}

/// A body that was cut behind its last whole object or answer, and closed.
private struct CutAnswer {
  var body: [UInt8]
  /// Whether it was cut inside of a page.
  var isInPage: Bool

  /// How many brackets are open around the answers of a delta, and around the objects of a page.
  private static let answersDepth = 3
  private static let objectsDepth = 6

  /// Nil if there is neither a whole object nor a whole answer.
  init?(_ bytes: [UInt8]) {
    var (depth, isInText, isEscaped, isInObjects) = (0, false, false, false)
    var last: (end: Int, isInPage: Bool)?
    for (index, byte) in bytes.enumerated() {
      if isInText {
        isInText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth == Self.objectsDepth { isInObjects = byte == UInt8(ascii: "[") }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == Self.objectsDepth, isInObjects { last = (index + 1, true) }
        if depth == Self.answersDepth { last = (index + 1, false) }
      default: break
      }
    }
    guard let last else { return nil }
    body = bytes[..<last.end] + Array((last.isInPage ? "]}}]}}" : "]}}").utf8)
    isInPage = last.isInPage
  }
}
