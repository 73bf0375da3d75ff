// The laws of the merge, exhaustively: every object of a small domain under every patch, and every pair of patches.

import Testing
import WireFormat

@Suite struct MergeLaws {
  @Test func bytesFollowThePlainModel() throws {
    for object in Domain.objects {
      for patch in Domain.patches {
        let expected = plainBytes(patch.merged(into: plainFields(object)))
        #expect(try merge(object, patch) == expected, "\(patch) into \(object)")
      }
    }
  }

  @Test func onlyExpectedKindsOfPatchesDoNotCommute() throws {
    let names = Domain.kinds.map(\.name)
    var found: Set<Set<String>> = []
    for (index, first) in Domain.kinds.enumerated() {
      for second in Domain.kinds[index...] where try !commute(first.patches, second.patches) {
        found.insert([first.name, second.name])
      }
    }
    // The merge sees only content. A patch of an absent object has no effect by a rule of the caller.
    #expect(
      found == [
        ["set"], ["set other"], ["set", "clear"], ["insert", "remove"], ["create"], ["create", "clear"],
        ["create", "remove"], ["raise", "lower"], ["raise", "set other"], ["lower", "set other"],
      ], "of \(names)")
  }

  @Test func allPatchesButIncrementAreIdempotent() throws {
    for kind in Domain.kinds {
      let repeats = try Domain.objects.allSatisfy { object in
        try kind.patches.allSatisfy { patch in
          let once = try merge(object, patch)
          return try merge(once, patch) == once
        }
      }
      #expect(repeats == (kind.name != "increment"), "\(kind.name)")
    }
  }

  @Test func lastOfInsertAndRemoveWins() throws {
    let insert = PlainPatch(insert: [.text(Domain.tags, "a")])
    let remove = PlainPatch(remove: [.text(Domain.tags, "a")])
    for object in Domain.objects {
      let removedLast = try merge(merge(object, insert), remove)
      let insertedLast = try merge(merge(object, remove), insert)
      #expect(!plainFields(removedLast).contains(.text(Domain.tags, "a")))
      #expect(plainFields(insertedLast).filter { $0 == .text(Domain.tags, "a") }.count == 1)
    }
  }

  @Test func createDestroysNothing() throws {
    for object in Domain.objects {
      for patch in Domain.creates {
        let merged = Set(plainFields(try merge(object, patch)))
        #expect(merged.isSuperset(of: plainFields(object)), "\(patch) into \(object)")
      }
    }
  }

  @Test func patchLeavesOtherFieldsUnchanged() throws {
    for object in Domain.objects {
      for patch in Domain.patches {
        let named = Set(try Patch(bytes: patch.bytes).tags)
        let before = plainFields(object).filter { !named.contains($0.tag) }
        let after = plainFields(try merge(object, patch)).filter { !named.contains($0.tag) }
        #expect(before == after)
      }
    }
  }

  @Test func resultsAreCanonical() throws {
    for object in Domain.objects {
      for patch in Domain.patches {
        let merged = try merge(object, patch)
        let fields = plainFields(merged)
        let elements = fields.filter { $0.tag == Domain.tags }
        #expect(plainBytes(fields) == merged)
        #expect(elements == Set(elements).sorted())
      }
    }
  }

  @Test(arguments: [(-5, 3, -2), (.max, 1, .min), (.min, -1, .max), (0, .min, .min)] as [(Int64, Int64, Int64)])
  func countersWrap(start: Int64, amount: Int64, total: Int64) throws {
    let object = plainBytes([.number(Domain.likes, start)])
    let merged = try merge(object, PlainPatch(increment: [Domain.likes: amount]))
    #expect(merged == plainBytes([.number(Domain.likes, total)]))
  }

  @Test func theDifferenceLeadsFromOneObjectToTheOther() throws {
    for old in Domain.objects {
      for new in Domain.objects {
        let patch = try Patch.difference(from: old, to: new, kinds: Domain.mergeKinds)
        #expect(try patch.merged(into: old) == new)
        #expect(patch.isEmpty == (old == new))
      }
    }
  }

  private func commute(_ first: [PlainPatch], _ second: [PlainPatch]) throws -> Bool {
    try Domain.objects.allSatisfy { object in
      try first.allSatisfy { one in
        try second.allSatisfy { two in
          try merge(merge(object, one), two) == merge(merge(object, two), one)
        }
      }
    }
  }
}

func merge(_ content: [UInt8], _ patch: PlainPatch) throws -> [UInt8] {
  try Patch(bytes: patch.bytes).merged(into: content)
}

/// 217 objects and 20 patches: every combination of a few values of each kind of field.
private enum Domain {
  static let owner = 1
  static let caption = 2
  static let flag = 3
  static let tags = 4
  static let likes = 5
  static let mergeKinds = MergeKinds(sets: [tags], counters: [likes])

  static let kinds: [(name: String, patches: [PlainPatch])] = [
    ("set", ["x", "y"].map { PlainPatch(set: [.text(caption, $0)]) }),
    ("set other", [0, 1].map { PlainPatch(set: [.number(flag, $0)]) }),
    ("clear", [PlainPatch(clear: [caption])]),
    ("insert", ["a", "b"].map { PlainPatch(insert: [.text(tags, $0)]) }),
    ("remove", ["a", "b"].map { PlainPatch(remove: [.text(tags, $0)]) }),
    ("increment", [-2, 0, 3].map { PlainPatch(increment: [likes: $0]) }),
    ("raise", [0, -1, 2].map { PlainPatch(raise: [.number(flag, $0)]) }),
    ("lower", [0, 1, 2].map { PlainPatch(lower: [.number(flag, $0)]) }),
    ("create", creates),
  ]
  static let creates = ["A", "B"].flatMap { owner in
    ["x", "y"].flatMap { caption in
      ["a", "b"].map { tag in
        PlainPatch(
          fill: [.text(Self.owner, owner), .text(Self.caption, caption)], insert: [.text(tags, tag)])
      }
    }
  }
  static let patches = kinds.flatMap(\.patches)

  static let objects: [[UInt8]] = {
    let foreign = [
      PlainField(tag: 99, wireType: 5, raw: Array("1234".utf8)),
      PlainField(tag: 100, wireType: 1, raw: Array("12345678".utf8)),
    ]
    let options: [[[PlainField]]] = [
      [[], [.text(caption, "x")], [.text(caption, "y")]],
      [[], [.number(flag, 0)], [.number(flag, 1)]],
      [[], [.text(tags, "a")], [.text(tags, "b")], [.text(tags, "a"), .text(tags, "b")]],
      [[], [.number(likes, -1)], [.number(likes, 2)]],
      [[], foreign],
    ]
    let combined = options.reduce([[PlainField.text(owner, "A")]]) { objects, choices in
      objects.flatMap { object in choices.map { object + $0 } }
    }
    return [[]] + combined.map(plainBytes)
  }()
}
