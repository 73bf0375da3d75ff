// What an S3-compatible service answers.

import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

struct S3Answer: Sendable {
  var status: Int
  var headers: [String: String]
  var body: [UInt8]

  /// The text of each element of the body with this name, in order.
  func texts(_ name: String) -> [String] {
    let reader = ElementReader(name)
    reader.read(body)
    return reader.texts
  }

  /// An object in a list: its key, its size in bytes and when it was written last.
  struct Entry: Sendable {
    var key: String
    var size: Int64
    var changed: String
  }

  var entries: [Entry] {
    let (keys, sizes, changes) = (texts("Key"), texts("Size"), texts("LastModified"))
    guard keys.count == sizes.count, keys.count == changes.count else { return [] }
    return zip(keys, zip(sizes, changes)).compactMap { key, rest in
      Int64(rest.0).map { Entry(key: key, size: $0, changed: rest.1) }
    }
  }
}

/// Collects the texts of the elements with a name.
private final class ElementReader: NSObject, XMLParserDelegate {
  private let name: String
  private var text: String?
  private(set) var texts: [String] = []

  init(_ name: String) { self.name = name }

  func read(_ bytes: [UInt8]) {
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = self
    // What is no XML has no elements.
    _ = parser.parse()
  }

  func parser(
    _: XMLParser, didStartElement element: String, namespaceURI _: String?, qualifiedName _: String?,
    attributes _: [String: String]
  ) { if element == name { text = "" } }

  func parser(_: XMLParser, foundCharacters characters: String) { text? += characters }

  func parser(_: XMLParser, didEndElement element: String, namespaceURI _: String?, qualifiedName _: String?) {
    guard element == name, let text else { return }
    texts.append(text)
    self.text = nil
  }
}
