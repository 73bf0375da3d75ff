// What servers with one database tell each other, as text.

import Foundation
import SyncProtocol
import SyncServer
import WireFormat

/// Messages as texts: the sender's name, then parts, each behind a semicolon. A part is a queue that has changed: its id
/// and, behind a colon, the users who leave, or a star. Or it is a signal: an exclamation mark, then user, session, queue,
/// type, seconds and content in base64, with commas between; without content it is taken back.
enum NewsMessage {
  /// PostgreSQL takes less than 8,000 bytes.
  private static let mostBytes = 7_900

  static func texts(of messages: [ServerMessage], from name: UUIDValue) -> [String] {
    var texts: [String] = []
    var text = "\(name)"
    for part in messages.flatMap(parts) {
      if text.utf8.count + part.utf8.count >= mostBytes {
        texts.append(text)
        text = "\(name)"
      }
      text += ";\(part)"
    }
    return texts + [text]
  }

  private static func parts(of message: ServerMessage) -> [String] {
    switch message {
    case .queue(let news):
      let leaving = news.leaving?.map { "\($0)" }.joined(separator: ",") ?? "*"
      if leaving.isEmpty { return ["\(news.queue)"] }
      // There may be too many to name.
      return ["\(news.queue):" + (leaving.utf8.count > mostBytes / 2 ? "*" : leaving)]
    case .signals(let news):
      return news.request.signals.map { change in
        let content = change.content.map { "," + Data($0).base64EncodedString() } ?? ""
        return "!\(news.user),\(news.request.session),\(change.queue),\(change.type),\(change.seconds)\(content)"
      }
    }
  }

  /// Nil for what no server has sent; nil as a message for a part that cannot be read: any queue may have changed.
  static func read(_ text: String) -> (sender: UUIDValue, messages: [ServerMessage?])? {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard let sender = UUIDValue(String(parts[0])) else { return nil }
    return (sender, parts.dropFirst().map { $0.first == "!" ? signal($0.dropFirst()) : queue($0) })
  }

  private static func queue(_ part: Substring) -> ServerMessage? {
    let sides = part.split(separator: ":", omittingEmptySubsequences: false)
    guard let queue = UUIDValue(String(sides[0])) else { return nil }
    let users = sides.count > 1 ? sides[1].split(separator: ",").map { UUIDValue(String($0)) } : []
    let leaving = users.compactMap { $0 }.map { UserID($0) }
    return .queue(QueueNews(QueueID(queue), leaving: leaving.count == users.count ? leaving : nil))
  }

  private static func signal(_ part: Substring) -> ServerMessage? {
    let fields = part.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard (5...6).contains(fields.count), let user = UserID(fields[0]), let session = UUIDValue(fields[1]),
      let queue = QueueID(fields[2]), ProtocolLimits.isTypeName(fields[3]), let seconds = Int(fields[4]),
      (1...ProtocolLimits.signalSeconds).contains(seconds)
    else { return nil }
    var content: [UInt8]?
    if fields.count == 6 {
      guard let bytes = Data(base64Encoded: fields[5]), bytes.count <= ProtocolLimits.signalBytes else { return nil }
      content = Array(bytes)
    }
    let change = SignalRequest.Change(queue: queue, type: fields[3], content: content, seconds: seconds)
    return .signals(SignalNews(of: user, SignalRequest(session: session, signals: [change])))
  }
}
