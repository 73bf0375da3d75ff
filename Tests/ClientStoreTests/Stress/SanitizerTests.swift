// Bugs on purpose, which show that a sanitizer that reports nothing does work. Only `Scripts/sanitize` runs them.

import Foundation
import Testing

@Suite struct SanitizerTests {
  private static let planted = ProcessInfo.processInfo.environment["MODELGEN_PLANTED"]

  @Test(.enabled(if: planted == "thread")) func twoThreadsWriteTheSameNumber() {
    let number = PlantedNumber()
    let group = DispatchGroup()
    for _ in 0..<2 {
      group.enter()
      Thread.detachNewThread {
        for _ in 0..<1_000 { number.pointer.pointee += 1 }
        group.leave()
      }
    }
    group.wait()
    #expect(number.pointer.pointee > 0)
  }

  @Test(.enabled(if: planted == "address")) func aNumberIsReadAfterItIsGone() {
    let pointer = PlantedNumber().pointer
    #expect(pointer.pointee != 7)
  }
}

/// `@unchecked Sendable` is wrong here: that is the planted bug.
private final class PlantedNumber: @unchecked Sendable {
  let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init() { pointer.initialize(to: 0) }
  deinit { pointer.deallocate() }
}
