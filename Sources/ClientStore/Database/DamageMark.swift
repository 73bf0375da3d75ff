// Remembers that the database of an open store was found damaged, so that the next opening offers to salvage it.

import Foundation

/// Damage stays found: the empty file `store.damaged` makes every later opening throw `damaged`, until a salvage.
///
/// An object whose bytes cannot be decoded is no damage of the database: another version of the app may have written
/// it, and a salvaged store would get it from the server again.
final class DamageMark: Sendable {
  private let path: String
  private let found = Locked<StoreError?>(nil)
  private let wake = Locked<@Sendable () -> Void>({})

  init(folder: String) { path = Self.path(in: folder) }

  static func path(in folder: String) -> String { folder + "/store.damaged" }

  /// Throws `damaged` if an earlier opening of the store has found damage.
  static func check(folder: String) throws {
    guard FileManager.default.fileExists(atPath: path(in: folder)) else { return }
    throw StoreError(.damaged, "The store's files are damaged: reading them failed when the store was last open.")
  }

  /// The first damage that was found; nil if there was none.
  var error: StoreError? { found.withLock { $0 } }

  /// Calls `wake` when damage is found, on the thread that finds it, which may hold the store's lock.
  func onDamage(_ wake: @escaping @Sendable () -> Void) { self.wake.withLock { $0 = wake } }

  /// Rethrows each error as a `StoreError`, and remembers damage.
  func noting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as CallerError {
      throw error.error
    } catch {
      let error = StoreError(reading: error)
      if error.code == .damaged { remember(error) }
      throw error
    }
  }

  /// Runs a part of the body of `noting` whose errors say nothing about the database.
  static func unnoted<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw CallerError(error: error) }
  }

  private struct CallerError: Error {
    var error: any Error
  }

  private func remember(_ error: StoreError) {
    let isFirst = found.withLock { found in
      defer { found = found ?? error }
      return found == nil
    }
    guard isFirst else { return }
    // Where this fails, the next opening that meets the damage tries again.
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    wake.withLock { $0 }()
  }
}
