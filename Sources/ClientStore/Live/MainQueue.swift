// Whether the caller is on the main actor, for functions that every thread may call.

import Dispatch

/// The queue of the main actor; nothing is put onto it here.
///
/// Not `Thread.isMainThread`: on Linux another thread serves the queue once the program waits.
enum MainQueue {
  private static let mark: DispatchSpecificKey<Void> = {
    let mark = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: mark, value: ())
    return mark
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }
}
