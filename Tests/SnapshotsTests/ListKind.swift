// The kinds of lists that random tests run over, with random keys for them.

import Snapshots
import TestSupport

/// A kind of sections with a kind of order.
struct ListKind: Sendable, CustomStringConvertible {
  let name: String
  let sections: ListLayout.Sections
  let order: ListLayout.Order
  /// Random keys. The larger `spread` is, the more different ones there are.
  let section: @Sendable (inout SeededRandom, _ spread: UInt64) -> ListKey
  let orderKey: @Sendable (inout SeededRandom, _ spread: UInt64) -> ListKey
  var kept: [ListKey] = []

  var description: String { name }

  func layout(_ rows: RowTable) -> ListLayout {
    ListLayout(rows: rows, sections: sections, order: order, keptSections: kept)
  }

  static let all = [
    ListKind(name: "days, dates", sections: .numbers, order: .numbers, section: number, orderKey: number),
    ListKind(
      name: "one section, ties", sections: .numbers, order: .numbers, section: { _, _ in .number(0) }, orderKey: few),
    ListKind(name: "a section each", sections: .numbers, order: .numbers, section: any, orderKey: { _, _ in .null }),
    ListKind(
      name: "kept values, dates", sections: .numbers, order: .numbers, section: few, orderKey: number,
      kept: [.number(4), .number(1), .number(3)]),
    ListKind(name: "texts, texts", sections: .bytes, order: .bytes, section: text, orderKey: text),
    ListKind(
      name: "kept texts, dates", sections: .bytes, order: .numbers, section: initial, orderKey: number,
      kept: [.bytes([100]), .bytes([99, 99, 99, 99, 99])]),
    ListKind(name: "days, texts", sections: .numbers, order: .bytes, section: number, orderKey: text),
    ListKind(name: "gaps", sections: .gaps(6), order: .numbers, section: number, orderKey: date),
  ]

  @Sendable private static func any(_ random: inout SeededRandom, _ spread: UInt64) -> ListKey {
    .number(random.next())
  }

  @Sendable private static func few(_ random: inout SeededRandom, _ spread: UInt64) -> ListKey {
    .number(random.below(6))
  }

  /// A date, or null now and then.
  @Sendable private static func date(_ random: inout SeededRandom, _ spread: UInt64) -> ListKey {
    random.chance(3) ? .null : .number(random.below(spread * 8))
  }

  @Sendable private static func number(_ random: inout SeededRandom, _ spread: UInt64) -> ListKey {
    .number(random.below(max(1, spread / 8)))
  }

  /// Texts that differ early, late or not at all.
  @Sendable private static func text(_ random: inout SeededRandom, _ spread: UInt64) -> ListKey {
    let alphabet = random.chance(50) ? 2 : 20
    let common = [UInt8](repeating: 97, count: random.below(14))
    return .bytes(common + (0..<random.below(6)).map { _ in 97 + UInt8(random.below(alphabet)) })
  }

  @Sendable private static func initial(_ random: inout SeededRandom, _ spread: UInt64) -> ListKey {
    .bytes(.init(repeating: 97 + UInt8(random.below(5)), count: 1 + random.below(5)))
  }
}
