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
  /// One for each app, of those that have one.
  let oldestWriters: [OldestWriterArgument]

  /// Reads all files. Throws a `Mistake`, also if two files are of one schema.
  func read() throws -> AccessTables {
    var all = AccessTables()
    for path in paths {
      let (schema, table) = try Self.table(path)
      guard !all.has(schema) else {
        throw Mistake.usage("--access: \(path) is of the schema \(schema), and so is another file.")
      }
      all[schema] = table
    }
    for oldest in oldestWriters { all.oldestWriters[oldest.schema] = oldest.version }
    return all
  }

  private static func table(_ path: String) throws -> (schema: String, table: AccessTable) {
    let bytes = try contents(path)
    do throws(AccessTableError) { return try AccessTable.read(bytes) } catch {
      throw Mistake.usage("--access: \(path) is not a table of access. \(error)")
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
