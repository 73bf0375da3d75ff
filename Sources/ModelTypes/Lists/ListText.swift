// Sorts texts as people look for them, the same on every device and in every language.

import Foundation
public import Snapshots

extension String {
  /// The one form of all texts that Swift calls equal: "é" is one scalar, however it was typed (NFC).
  var canonical: String {
    utf8.allSatisfy({ $0 < 0x80 }) ? self : precomposedStringWithCanonicalMapping
  }

  /// The text without its accents and in small letters: "Äpfel" is beside "apfel".
  ///
  /// It is decomposed canonically, loses its nonspacing marks, and gets the lower case of the Unicode standard.
  /// "Straße" stays apart from "Strasse".
  public var _folded: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
    var scalars = String.UnicodeScalarView()
    for scalar in decomposedStringWithCanonicalMapping.unicodeScalars {
      if scalar.properties.generalCategory == .nonspacingMark { continue }
      scalars.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
    }
    return String(scalars)
  }
}

extension KeyBytes {
  /// Adds a text by its folded form; among equal ones its canonical bytes decide. Nil comes last.
  public mutating func append(text: String?, descending: Bool = false) {
    guard let text else { return appendNull() }
    append(text._folded.utf8, descending: descending)
    append(text.canonical.utf8, descending: descending)
  }
}

extension ListKey {
  /// Sorts by the folded text, and among equal ones by the text's canonical bytes; nil comes last.
  public static func ascending(_ text: String?) -> ListKey { .joined { $0.append(text: text) } }
  /// Sorts the other way round; nil still comes last.
  public static func descending(_ text: String?) -> ListKey { .joined { $0.append(text: text, descending: true) } }

  /// The text of a key that `append(text:)` has made; nil if the text was nil. A key that was cut short gives what is
  /// left.
  func text(isDescending: Bool) -> String? {
    guard case .bytes(let bytes) = self, bytes.first == 1 else { return nil }
    let mask: UInt8 = isDescending ? 0xFF : 0
    var parts: [[UInt8]] = [[]]
    var index = 1
    while index < bytes.count {
      let byte = bytes[index] ^ mask
      index += 1
      if byte != 0 {
        parts[parts.count - 1].append(byte)
      } else if index < bytes.count, bytes[index] ^ mask == 0xFF {
        parts[parts.count - 1].append(0)
        index += 1
      } else {
        // Skips the marker of the next value.
        parts.append([])
        index += 1
      }
    }
    return String(decoding: parts.count > 1 ? parts[1] : parts[0], as: UTF8.self)
  }
}
