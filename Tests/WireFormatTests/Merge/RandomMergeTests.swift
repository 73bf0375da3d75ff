// Random objects, canonical or not, under random patches. The bytes must follow the plain model.

import Foundation
import TestSupport
import Testing
import WireFormat

@Suite struct RandomMerges {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func bytesFollowThePlainModel(seed: UInt64) throws {
    var numbers = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let fields = randomFields(&numbers)
      let patch = randomPatch(&numbers)
      let expected = plainBytes(patch.merged(into: fields))
      let canonical = plainBytes(fields)
      #expect(plainBytes(plainFields(canonical)) == canonical, "seed \(seed)")
      #expect(try merge(canonical, patch) == expected, "seed \(seed): \(patch) into \(fields)")
      // The same fields in another order of tags, with needlessly long keys and lengths.
      let untidy = untidyBytes(fields, &numbers)
      let tidied = plainBytes(patch.merged(into: fields.sorted { $0.tag < $1.tag }))
      #expect(try merge(untidy, patch) == tidied, "seed \(seed): \(patch) into untidy \(fields)")
    }
  }

  /// The same once more in Python, whose numbers have no width.
  @Test(arguments: 0..<4 as Range<UInt64>)
  func pythonMergesTheSame(seed: UInt64) throws {
    guard let python = try Program.find("python3") else { return }
    var numbers = SeededRandom(seed: seed)
    let folder = try TemporaryFolder()
    let cases = (0..<1_000).map { _ in (plainBytes(randomFields(&numbers)), randomPatch(&numbers)) }
    func hex(_ bytes: [UInt8]) -> String { bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined() }
    try folder.write("cases", cases.map { "\(hex($0)) \(hex($1.bytes))\n" }.joined())
    let script = Repository.url("Tests/WireFormatTests/merge.py").path
    let outcome = try python.run([script, folder.url("cases").path], in: folder.url)
    let merged = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(outcome.status == 0 && merged.count == cases.count + 1, "\(outcome.text)")
    for ((content, patch), merged) in zip(cases, merged) {
      #expect(try hex(merge(content, patch)) == merged, "seed \(seed): \(patch) into \(hex(content))")
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func patchesOfDifferentFieldsCommute(seed: UInt64) throws {
    var numbers = SeededRandom(seed: seed)
    for _ in 0..<100 {
      let object = plainBytes(randomFields(&numbers))
      let first = randomPatch(&numbers, tags: [1, 2, 3])
      let second = randomPatch(&numbers, tags: [4, 5, 900_000])
      #expect(
        try merge(merge(object, first), second) == merge(merge(object, second), first),
        "seed \(seed): \(first), \(second) into \(object)")
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func theDifferenceLeadsFromOneObjectToTheOther(seed: UInt64) throws {
    var numbers = SeededRandom(seed: seed)
    let kinds = MergeKinds(sets: [1, 4], counters: [2, 5])
    for _ in 0..<200 {
      let old = canonicalSets(randomFields(&numbers), tags: kinds.sets)
      let new = canonicalSets(randomFields(&numbers), tags: kinds.sets)
      let patch = try Patch.difference(from: old, to: new, kinds: kinds)
      #expect(try patch.merged(into: old) == new, "seed \(seed): \(old) to \(new)")
      #expect(try Patch(bytes: patch.bytes) == patch)
    }
  }

  private func canonicalSets(_ fields: [PlainField], tags: [Int]) -> [UInt8] {
    let single = fields.filter { !tags.contains($0.tag) }
    // A canonical counter is one number.
    let counters = single.filter { [2, 5].contains($0.tag) && $0.wireType == 0 }
    let rest =
      single.filter { ![2, 5].contains($0.tag) } + Dictionary(grouping: counters, by: \.tag).compactMap(\.value.last)
    return plainBytes(rest + Set(fields.filter { tags.contains($0.tag) }).sorted())
  }

  private func untidyBytes(_ fields: [PlainField], _ numbers: inout SeededRandom) -> [UInt8] {
    // Whole tags change places; the order inside a tag stays.
    let tags = Set(fields.map(\.tag)).sorted().shuffled(using: &numbers)
    var bytes: [UInt8] = []
    for tag in tags {
      for field in fields where field.tag == tag {
        bytes += lengthened(plainVarint(UInt64(tag * 8) + UInt64(field.wireType)), &numbers)
        if field.wireType == 2 { bytes += lengthened(plainVarint(UInt64(field.raw.count)), &numbers) }
        bytes += field.raw
      }
    }
    return bytes
  }

  private func lengthened(_ varint: [UInt8], _ numbers: inout SeededRandom) -> [UInt8] {
    guard numbers.below(3) == 0 else { return varint }
    return varint.dropLast() + [varint.last! | 128] + Array(repeating: 128, count: numbers.below(3)) + [0]
  }
}

let randomTags = [1, 2, 3, 4, 5, 16, 900_000]

func randomFields(_ numbers: inout SeededRandom) -> [PlainField] {
  (0..<numbers.below(9)).map { _ in randomField(randomTags.randomElement(using: &numbers)!, &numbers) }
}

/// A field with one of few values, so that equal ones meet. Some texts are longer than eight bytes and begin alike.
func randomField(_ tag: Int, _ numbers: inout SeededRandom) -> PlainField {
  switch numbers.below(6) {
  case 0, 1: .number(tag, [-1, 0, 1, 300, .max, .min].randomElement(using: &numbers)!)
  case 2: PlainField(tag: tag, wireType: 5, raw: [0, 0, 0, UInt8(numbers.below(2))])
  case 3: PlainField(tag: tag, wireType: 1, raw: [0, 0, 0, 0, 0, 0, 0, UInt8(numbers.below(2))])
  default:
    .text(
      tag,
      ["", "a", "b", "aa", "12345678", "12345678a", "12345679", "a longer text, 123456789"].randomElement(
        using: &numbers)!)
  }
}

/// A valid patch. Each tag is in one part, or in insert and remove, or in fill and another part.
func randomPatch(_ numbers: inout SeededRandom, tags: [Int] = randomTags) -> PlainPatch {
  var patch = PlainPatch()
  for tag in tags where numbers.below(2) == 0 {
    if numbers.below(3) == 0 {
      patch.fill += (0..<1 + numbers.below(3)).map { _ in randomField(tag, &numbers) }
    }
    switch numbers.below(8) {
    case 5: patch.raise.append(randomNumber(tag, &numbers))
    case 6: patch.lower.append(randomNumber(tag, &numbers))
    case 0: patch.set += (0..<1 + numbers.below(3)).map { _ in randomField(tag, &numbers) }
    case 1: patch.clear.append(tag)
    case 2, 3:
      let elements = Set((0..<1 + numbers.below(5)).map { _ in randomField(tag, &numbers) }).sorted()
      let inserted = elements.filter { _ in numbers.below(2) == 0 }
      patch.insert += inserted
      patch.remove += elements.filter { !inserted.contains($0) }
    case 4: patch.increment[tag] = [-1, 0, 5, .max, .min].randomElement(using: &numbers)!
    default: break
    }
  }
  return patch
}

/// A number of one of the three wire types that have one.
func randomNumber(_ tag: Int, _ numbers: inout SeededRandom) -> PlainField {
  let number = [0, 1, 127, 300, -1, -300, .max, .min].randomElement(using: &numbers) ?? Int64(0)
  let double =
    [0, -0.0, 1.5, -1.5, .infinity, -.infinity, .nan, .leastNonzeroMagnitude].randomElement(using: &numbers) ?? 0.0
  func bytes(_ bits: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
  }
  return switch numbers.below(3) {
  case 0: PlainField(tag: tag, wireType: 0, raw: plainVarint(UInt64(bitPattern: number)))
  case 1: PlainField(tag: tag, wireType: 1, raw: bytes(double.bitPattern, 8))
  default: PlainField(tag: tag, wireType: 5, raw: bytes(UInt64(Float(double).bitPattern), 4))
  }
}
