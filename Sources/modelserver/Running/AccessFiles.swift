// The tables of access that `serve` was given: read at the start, and again at SIGHUP.

import Foundation
import SyncServer

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

struct AccessFiles: Sendable {
  /// One of each app.
  let paths: [String]

  /// The types of all of them.
  func read() throws -> AccessTable {
    var all = AccessTable()
    for path in paths {
      if let twice = all.add(try Self.table(path)) {
        throw Mistake.usage("--access: \(path) names the type \(twice), and so does another file.")
      }
    }
    return all
  }

  private static func table(_ path: String) throws -> AccessTable {
    let bytes = try contents(path)
    do throws(AccessTableError) { return try AccessTable(reading: bytes) } catch {
      throw Mistake.usage("--access: \(path) is no table of access. \(error)")
    }
  }

  private static func contents(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      let reason = errno == ENOENT ? "there is no such file." : SystemReason.reading(errno)
      throw Mistake.inputOutput("--access: cannot read \(path): \(reason)")
    }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    // One more byte than may be, so that a larger file is seen to be one.
    do { return [UInt8](try handle.read(upToCount: AccessTable.maximumBytes + 1) ?? Data()) } catch {
      throw Mistake.inputOutput("--access: cannot read \(path): \(error.localizedDescription)")
    }
  }
}
