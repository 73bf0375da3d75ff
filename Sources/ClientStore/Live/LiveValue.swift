// A value of the store for a view: SwiftUI, or any other observer, draws again when it changes.

public import Observation

/// A value of the store for `@Observable` observers on the main actor: an object, a list, the status of a file.
///
/// Reading is always up to date: the line after a change sees it. Observers are notified once for all changes that
/// happen before they look again: of a change that is made on the main actor before that call returns, so that
/// `withAnimation` animates it, of others soon after. While nothing changes, it costs nothing.
@MainActor
public final class LiveValue<Value>: Observable {
  private let registrar = ObservationRegistrar()
  private let source: LiveSource<Value>
  private let registration: LiveRegistration

  init(_ news: LiveNews, _ source: LiveSource<Value>) {
    self.source = source
    let relay = Relay<Value>()
    registration = source.register { news.add(ObjectIdentifier(relay)) { relay.target?.tell() } }
    relay.target = self
  }

  /// The value now. Where it cannot be read, it is the one for "there is none", and `error` says why.
  public var value: Value {
    registrar.access(self, keyPath: \.value)
    return source.read().value
  }

  /// The reason why the value, or a part of a list, cannot be read; nil if it can.
  public var error: StoreError? {
    registrar.access(self, keyPath: \.error)
    return source.read().error
  }

  /// Notifies the observers, which then read the newest value.
  fileprivate func tell() {
    // The end of a pause wakes again.
    if source.isPaused() { return }
    registrar.withMutation(of: self, keyPath: \.value) {
      registrar.withMutation(of: self, keyPath: \.error) {}
    }
  }
}

/// Leads from the store to the live value, without keeping it alive.
@MainActor
private final class Relay<Value> {
  weak var target: LiveValue<Value>?
}

/// Where a live value comes from.
struct LiveSource<Value> {
  struct Reading {
    var value: Value
    var error: StoreError?
  }

  /// The value now.
  var read: @MainActor () -> Reading
  /// Whether observers are left alone for now.
  var isPaused: @MainActor () -> Bool = { false }
  /// Calls a closure after each change, until the registration is released.
  var register: (_ wake: @escaping @Sendable () -> Void) -> LiveRegistration
}

/// A registration for changes. Ends with the object.
final class LiveRegistration: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
