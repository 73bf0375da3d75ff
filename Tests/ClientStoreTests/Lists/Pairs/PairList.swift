// A list as its line in the schema declares it, read and evaluated without code of the generator or the store.

import Foundation
import ModelSupport
import SampleIDs
import TypeMatrix

/// The fields that both models of these lists have.
protocol PairFields: Model {
  var aBool: Bool? { get set }
  var aInt32: Int32? { get set }
  var aInt64: Int64? { get set }
  var aUint32: UInt32? { get set }
  var aUint64: UInt64? { get set }
  var aFloat: Float? { get set }
  var aDouble: Double? { get set }
  var aString: String? { get set }
  var aData: [UInt8]? { get set }
  var aUuid: UUIDValue? { get set }
  var aTimestamp: Timestamp? { get set }
  var aFile: FileReference? { get set }
  var aUser: UserID? { get set }
  var aOther: EverySingle.ID? { get set }
  var aColor: RainbowColor? { get set }
  var aPoint: Point? { get set }
  var aTags: SortedSet<String> { get set }
  var parent: UUIDValue? { get set }
  /// The id of one of 40 objects.
  static func numbered(_ number: UInt64) -> ObjectID<Self>
}

extension Ranked: PairFields {
  var parent: UUIDValue? {
    get { aParent?.rawValue }
    set { aParent = newValue.map { ID($0) } }
  }

  static func numbered(_ number: UInt64) -> ID { .object(number, in: Board.ID.queue(1)) }
}

extension RankedHere: PairFields {
  var parent: UUIDValue? {
    get { aParent?.rawValue }
    set { aParent = newValue.map { ID($0) } }
  }

  static func numbered(_ number: UInt64) -> ID { ID(UUIDValue(high: 0x70, low: 1 << 63 | number)) }
}

/// The value of a field, as far as conditions and orders look at it.
enum PairValue: Hashable {
  case absent
  case number(Double)
  case text(String)
  case texts([String])
  /// A value of which only the presence matters.
  case present
}

/// An object with what the server notes of it.
struct PairObject {
  let id: UUIDValue
  let object: any PairFields
  /// By the names of the fields, of those of its view too.
  private var values: [String: PairValue]

  init<Object: PairFields>(_ object: Object, _ system: SystemFields) {
    (id, self.object) = (object.id.rawValue, object)
    values = Dictionary(uniqueKeysWithValues: Object.pairFieldNames.map { ($0, object.value($0)) })
    values["$creator"] = .text("\(system.createdBy.rawValue)")
    values["$created"] = .number(Double(system.createdAt.millisecondsSince1970))
    values["$updated"] = .number(Double(system.updatedAt.millisecondsSince1970))
  }

  func value(_ field: String) -> PairValue {
    guard let value = values[field] else { preconditionFailure("no field \(field)") }
    return value
  }

  /// Works out the view from all objects.
  mutating func showKin(_ all: [PairObject]) {
    let kids = all.filter { $0.object.parent == id && $0.object.aBool != false }
    let newest = kids.min { left, right in
      let (first, second) = (left.object.aInt64, right.object.aInt64)
      if first == second { return left.id < right.id }
      guard let first, let second else { return first != nil }
      return first > second
    }
    let own = object.aInt32
    let later = kids.count { kid in kid.object.aInt32.map { value in own.map { value > $0 } ?? true } ?? false }
    values["kin.kids"] = .number(Double(kids.count))
    values["kin.later"] = .number(Double(later))
    values["kin.first"] = newest?.value("aString") ?? .absent
    values["kin.made"] = newest?.value("$created") ?? .absent
    values["kin.up"] = all.first { $0.id == object.parent }?.value("aColor") ?? .absent
  }
}

extension PairFields {
  fileprivate static var pairFieldNames: [String] {
    [
      "aBool", "aInt32", "aInt64", "aUint32", "aUint64", "aFloat", "aDouble", "aString", "aData", "aUuid", "aTimestamp",
      "aFile", "aUser", "aOther", "aColor", "aPoint", "aTags",
    ]
  }

  fileprivate func value(_ field: String) -> PairValue {
    func present<Value>(_ value: Value?) -> PairValue { value == nil ? .absent : .present }
    func number(_ value: (some BinaryInteger)?) -> PairValue { value.map { .number(Double($0)) } ?? .absent }
    return switch field {
    case "aBool": aBool.map { .number($0 ? 1 : 0) } ?? .absent
    case "aInt32": number(aInt32)
    case "aInt64": number(aInt64)
    case "aUint32": number(aUint32)
    case "aUint64": number(aUint64)
    case "aFloat": aFloat.map { .number(Double($0)) } ?? .absent
    case "aDouble": aDouble.map { .number($0) } ?? .absent
    case "aString": aString.map { .text($0) } ?? .absent
    case "aData": present(aData)
    case "aUuid": present(aUuid)
    case "aTimestamp": number(aTimestamp?.millisecondsSince1970)
    case "aFile": present(aFile)
    case "aUser": aUser.map { .text("\($0.rawValue)") } ?? .absent
    case "aOther": present(aOther)
    case "aColor": number(aColor?.rawValue)
    case "aPoint": present(aPoint)
    case "aTags": .texts(Array(aTags))
    default: fatalError("no field \(field)")
    }
  }
}

/// The values of `$now`, `$today` and `$me` in conditions.
struct PairMoment {
  var now: Int64
  var zone: TimeZone
  var me: UserID

  var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    calendar.firstWeekday = 2
    calendar.minimumDaysInFirstWeek = 4
    return calendar
  }

  var today: Int64 {
    Int64(calendar.startOfDay(for: Date(timeIntervalSince1970: Double(now) / 1_000)).timeIntervalSince1970) * 1_000
  }
}

struct PairCondition {
  let field: String
  let comparison: String
  let operand: String

  /// Reads a text such as `aInt32 >= 0`.
  init(_ text: Substring) {
    let words = text.split(separator: " ")
    field = String(words[0])
    let isNull = words.last == "null"
    comparison = isNull ? words[1...].joined(separator: " ") : String(words[1])
    operand = isNull ? "" : words[2...].joined(separator: " ")
  }

  /// The name of the condition in the table of pairs.
  var kind: String { operand.hasPrefix("$") ? operand : comparison }

  func holds(_ object: PairObject, at moment: PairMoment) -> Bool {
    let value = object.value(field)
    switch comparison {
    case "is null": return value == .absent
    case "is not null": return value != .absent
    case "contains":
      if case .texts(let texts) = value { return texts.contains(operand) }
      if case .text(let text) = value { return text.range(of: operand) != nil }
      return false
    case "==": return value == literal(moment)
    case "!=": return value != literal(moment)
    default:
      guard let order = compare(value, literal(moment)) else { return false }
      return switch comparison {
      case "<": order < 0
      case "<=": order <= 0
      case ">": order > 0
      default: order >= 0
      }
    }
  }

  private func literal(_ moment: PairMoment) -> PairValue {
    switch operand {
    case "$me": .text("\(moment.me.rawValue)")
    case "$now": .number(Double(moment.now))
    case "$today": .number(Double(moment.today))
    case "true": .number(1)
    case "false": .number(0)
    case "red": .number(1)
    case "green": .number(2)
    default: Double(operand).map { .number($0) } ?? .text(operand)
    }
  }

  /// Compares texts by their bytes, as conditions do. Nil if a value is absent, or of another type.
  private func compare(_ left: PairValue, _ right: PairValue) -> Int? {
    if case .number(let left) = left, case .number(let right) = right {
      return left < right ? -1 : left > right ? 1 : 0
    }
    guard case .text(let left) = left, case .text(let right) = right else { return nil }
    if left == right { return 0 }
    return Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8)) ? -1 : 1
  }
}

struct PairList {
  let name: String
  /// All terms must hold. A term holds if one of its conditions does.
  let terms: [[PairCondition]]
  let section: String
  let order: [(field: String, isDescending: Bool)]

  /// Nil for a line that declares no list. Lists look like this:
  /// `  list01: { where: [{ any: [a == 1, b < 2] }], section: day(c), order: [c, d descending] }`
  init?(_ line: Substring) {
    guard let colon = line.firstIndex(of: ":"), line.hasPrefix("  list") else { return nil }
    name = line[..<colon].trimmingCharacters(in: .whitespaces)
    let body = line[colon...]
    func between(_ start: String, _ end: String, in text: Substring) -> Substring? {
      guard let from = text.range(of: start) else { return nil }
      let rest = text[from.upperBound...]
      return rest[..<(rest.range(of: end)?.lowerBound ?? rest.endIndex)]
    }
    var terms: [[PairCondition]] = []
    var rest = body
    while let term = between("any: [", "]", in: rest) {
      terms.append(term.split(separator: ",").map { PairCondition($0.drop { $0 == " " }) })
      rest = rest[term.endIndex...]
    }
    self.terms = terms
    section = between("section: ", ")", in: body).map(String.init) ?? "none"
    guard let order = between("order: ", " }", in: body) else { return nil }
    self.order = order.trimmingCharacters(in: ["[", "]"]).split(separator: ",").map { key in
      let words = key.split(separator: " ")
      return (String(words[0]), words.count == 2)
    }
  }

  /// The ids of each section, worked out by a sort of all objects.
  func expected(_ objects: [PairObject], at moment: PairMoment) -> [[UUIDValue]] {
    let listed = objects.filter { object in terms.allSatisfy { $0.contains { $0.holds(object, at: moment) } } }
    let sorted = listed.sorted { left, right in
      let (isLeftLast, isRightLast) = (hasNoLetter(left), hasNoLetter(right))
      if isLeftLast != isRightLast { return isRightLast }
      for (field, isDescending) in order {
        let (first, second) = (left.value(field), right.value(field))
        // Absent values come last in both directions.
        if (first == .absent) != (second == .absent) { return second == .absent }
        if let precedes = precedes(first, second) { return precedes != isDescending }
      }
      return left.id < right.id
    }
    var sections: [[UUIDValue]] = []
    var last: (key: String, time: Double?)?
    for object in sorted {
      let now = key(object, at: moment)
      let isSame = section.hasPrefix("gap") ? isNear(last, now) : last?.key == now.key
      if last == nil || !isSame { sections.append([]) }
      sections[sections.count - 1].append(object.id)
      last = now
    }
    return sections
  }

  /// Whether an object stands behind all letters, in both directions, because its text has no initial letter.
  private func hasNoLetter(_ object: PairObject) -> Bool {
    guard section.hasPrefix("initial") else { return false }
    guard case .text(let text) = object.value(order[0].field) else { return true }
    return text.first?.isLetter != true
  }

  /// Whether a value comes before another; nil if they are equal. Compares texts without case, then by their bytes.
  private func precedes(_ left: PairValue, _ right: PairValue) -> Bool? {
    if left == right { return nil }
    if case .number(let left) = left, case .number(let right) = right { return left < right }
    guard case .text(let left) = left, case .text(let right) = right else { return nil }
    func bytes(_ text: String) -> ([UInt8], [UInt8]) { (Array(text.lowercased().utf8), Array(text.utf8)) }
    let (first, second) = (bytes(left), bytes(right))
    if first.0 != second.0 { return first.0.lexicographicallyPrecedes(second.0) }
    return first.1.lexicographicallyPrecedes(second.1)
  }

  private func isNear(_ last: (key: String, time: Double?)?, _ now: (key: String, time: Double?)) -> Bool {
    guard let last else { return false }
    guard let before = last.time, let after = now.time else { return last.time == nil && now.time == nil }
    return abs(after - before) <= 6 * 3_600_000
  }

  private func key(_ object: PairObject, at moment: PairMoment) -> (key: String, time: Double?) {
    guard section != "none" else { return ("", nil) }
    let value = object.value(order[0].field)
    guard value != .absent else { return ("absent", nil) }
    let kind = section.prefix { $0 != "(" }
    if kind == "value" { return ("\(value)", nil) }
    if case .text(let text) = value {
      return (text.lowercased().first.map { $0.isLetter ? String($0) : "#" } ?? "#", nil)
    }
    guard case .number(let time) = value else { return ("", nil) }
    let date = Date(timeIntervalSince1970: time / 1_000)
    let parts: Set<Calendar.Component> =
      switch kind {
      case "year": [.year]
      case "month": [.year, .month]
      case "week": [.yearForWeekOfYear, .weekOfYear]
      default: [.year, .month, .day]
      }
    return ("\(moment.calendar.dateComponents(parts, from: date))", time)
  }
}
