// The files with tables of access that `serve` was given. They are read at the start, and again at SIGHUP.

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
  /// One file for each app.
  let paths: [String]

  /// Reads all files into one table. Throws a `Mistake`, also if two files name the same type.
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
    // Reads one more byte than is allowed, so that a larger file is noticed.
    do { return [UInt8](try handle.read(upToCount: AccessTable.maximumBytes + 1) ?? Data()) } catch {
      throw Mistake.inputOutput("--access: cannot read \(path): \(error.localizedDescription)")
    }
  }
}
