// Builds a patch, by hand or in generated code, with one typed call for each edit.

/// Collects the edits of one object's fields into a patch.
///
/// Each field may be edited in one way only: by set and clear, by insert and remove, by increment, by raise, or by lower.
/// Otherwise `patch` throws `invalidPatch`.
public struct PatchBuilder {
  /// The records to set, by tag.
  private var values: [Int: [UInt8]] = [:]
  private var cleared: Set<Int> = []
  /// One record for each element, in the order of the calls.
  private var inserted: [Int: [[UInt8]]] = [:]
  private var removed: [Int: [[UInt8]]] = [:]
  private var increments: [Int: Int64] = [:]
  /// One record for each tag.
  private var raised: [Int: [UInt8]] = [:]
  private var lowered: [Int: [UInt8]] = [:]
  private var failure: WireError?

  public init() {}

  /// Replaces the field. A value that has no records (nil, an empty list, an `ObjectID` of zeros) clears it.
  public mutating func set<Value: WireField>(_ tag: Int, _ value: Value) {
    set(tag, records(tag, value, Value._plan))
  }

  /// Replaces a counter.
  public mutating func set(_ tag: Int, counter: Int64) {
    var writer = RecordWriter()
    writer.zigzag(tag, counter)
    set(tag, writer.bytes)
  }

  /// Makes the field absent.
  public mutating func clear(_ tag: Int) {
    set(tag, [])
  }

  /// Puts an element into a set. Of an insert and a remove of the same element, the last call counts.
  public mutating func insert<Element: WireSetElement>(_ tag: Int, _ element: Element) {
    let record = record(tag, element)
    inserted[tag, default: []].append(record)
    removed[tag]?.removeAll { $0 == record }
  }

  /// Takes an element out of a set. Of an insert and a remove of the same element, the last call counts.
  public mutating func remove<Element: WireSetElement>(_ tag: Int, _ element: Element) {
    let record = record(tag, element)
    removed[tag, default: []].append(record)
    inserted[tag]?.removeAll { $0 == record }
  }

  /// Changes a set by the elements that differ.
  public mutating func change<Element>(_ tag: Int, from old: SortedSet<Element>, to new: SortedSet<Element>) {
    for element in old.subtracting(new) { remove(tag, element) }
    for element in new.subtracting(old) { insert(tag, element) }
  }

  /// Replaces the field where the values differ.
  public mutating func change<Value: WireField & Equatable>(_ tag: Int, from old: Value, to new: Value) {
    if old != new { set(tag, new) }
  }

  /// Adds to a counter, wrapping at 64 bits.
  public mutating func increment(_ tag: Int, by amount: Int64) {
    increments[tag, default: 0] &+= amount
  }

  /// Sets a number or a time if it is larger than the present one, or if there is none. Nil does nothing. Of several
  /// calls for a field the last one counts.
  public mutating func raise<Value: BoundedField>(_ tag: Int, _ value: Value) {
    raised[tag] = bounded(tag, value) ?? raised[tag]
  }

  /// Sets a number or a time if it is smaller than the present one, or if there is none. Nil does nothing. Of several
  /// calls for a field the last one counts.
  public mutating func lower<Value: BoundedField>(_ tag: Int, _ value: Value) {
    lowered[tag] = bounded(tag, value) ?? lowered[tag]
  }

  private mutating func bounded<Value: WireField>(_ tag: Int, _ value: Value) -> [UInt8]? {
    let record = records(tag, value, Value._plan)
    return record.isEmpty ? nil : record
  }

  /// The patch. Throws `invalidPatch` if one field was edited in two ways, and `tooDeep` or `tooLarge` for a value that
  /// no reader would take.
  ///
  /// `fill` holds the records of a create, in canonical form. Those of absent fields are added before all other edits.
  public func patch(filling fill: [UInt8] = []) throws(WireError) -> Patch {
    if let failure { throw failure }
    var increment = RecordWriter()
    for (tag, amount) in increments.sorted(by: { $0.key < $1.key }) { increment.zigzag(tag, amount) }
    return try Patch(
      set: values.sorted { $0.key < $1.key }.flatMap(\.value), clear: cleared.sorted(),
      insert: sorted(inserted), remove: sorted(removed), increment: increment.bytes,
      fill: fill, raise: raised.sorted { $0.key < $1.key }.flatMap(\.value),
      lower: lowered.sorted { $0.key < $1.key }.flatMap(\.value))
  }

  private mutating func set(_ tag: Int, _ records: [UInt8]) {
    values[tag] = records.isEmpty ? nil : records
    if records.isEmpty { cleared.insert(tag) } else { cleared.remove(tag) }
  }

  private mutating func record<Element: WireSetElement>(_ tag: Int, _ element: Element) -> [UInt8] {
    records(tag, SortedSet(CollectionOfOne(element)), Element._setPlan)
  }

  private mutating func records<Value>(_ tag: Int, _ value: Value, _ plan: FieldPlan) -> [UInt8] {
    do throws(WireError) { return try recordsOfField(tag, plan, value) } catch {
      failure = failure ?? error
      return []
    }
  }

  /// Sorted by tag; the elements of each tag are sorted as in a set, without duplicates.
  private func sorted(_ elements: [Int: [[UInt8]]]) throws(WireError) -> [UInt8] {
    var bytes: [UInt8] = []
    for (_, records) in elements.sorted(by: { $0.key < $1.key }) {
      bytes += try records.flatMap { $0 }.withRecords { (records) throws(WireError) in try records.sortedAsSet() }
    }
    return bytes
  }
}
