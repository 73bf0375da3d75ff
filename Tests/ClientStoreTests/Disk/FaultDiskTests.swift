// Tests of the disk itself: a power cut loses writes that SQLite does not promise to keep, and no others.

import Foundation
import GRDB
import StoreTestSupport
import Testing

@Suite struct FaultDiskTests {
  /// Cuts the power at every point of 30 commits. Returns how many cuts there were, and how many of them lost a commit.
  private func lostCommits(synchronous: String) throws -> (lost: Int, cuts: Int) {
    let disk = FaultDisk()
    let database = try open(disk, synchronous)
    try database.write { try $0.execute(sql: "CREATE TABLE word (number INTEGER PRIMARY KEY, text TEXT)") }
    try database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    disk.copyPoints(3, seed: 7)
    var (lost, cuts) = (0, 0)
    for number in 1...30 {
      try database.write { database in
        let text = String(repeating: "word", count: number * 40)
        try database.execute(sql: "INSERT INTO word VALUES (?, ?)", arguments: [number, text])
      }
      while let copy = disk.takeCopy() {
        cuts += 1
        let kept = try open(copy.disk, synchronous).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM word") } ?? 0
        // The row of the current commit may be missing, because its call has not returned.
        if kept < number - 1 { lost += 1 }
      }
    }
    return (lost, cuts)
  }

  private func open(_ disk: FaultDisk, _ synchronous: String) throws -> DatabaseQueue {
    try FileManager.default.createDirectory(atPath: disk.folder, withIntermediateDirectories: true)
    var configuration = Configuration()
    configuration.journalMode = .wal
    let database = try DatabaseQueue(path: disk.folder + "/words.sqlite", configuration: configuration)
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(synchronous)") }
    return database
  }

  @Test func onlySynchronousFullKeepsWhatWasCommitted() throws {
    let full = try lostCommits(synchronous: "FULL")
    let normal = try lostCommits(synchronous: "NORMAL")
    print("cuts that lost a commit: FULL \(full.lost) of \(full.cuts), NORMAL \(normal.lost) of \(normal.cuts)")
    #expect(full.lost == 0 && full.cuts > 100)
    #expect(normal.lost > normal.cuts / 4, "the disk forgets nothing")
  }

  @Test func twoConnectionsSeeEachOther() throws {
    let disk = FaultDisk()
    let (first, second) = (try open(disk, "FULL"), try open(disk, "FULL"))
    try first.write { try $0.execute(sql: "CREATE TABLE word (text TEXT); INSERT INTO word VALUES ('a')") }
    let texts = try second.read { try String.fetchAll($0, sql: "SELECT text FROM word") }
    #expect(texts == ["a"])
    try first.inTransaction(.immediate) { _ in
      #expect { try second.write { try $0.execute(sql: "DELETE FROM word") } } throws: {
        ($0 as? DatabaseError)?.resultCode == .SQLITE_BUSY
      }
      return .commit
    }
    try second.write { try $0.execute(sql: "INSERT INTO word VALUES ('b')") }
    #expect(try first.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM word") } == 2)
  }

  /// A killed process loses its memory. In a test its connection lives on, and must change nothing when it is closed.
  @Test func killedConnectionChangesNothingWhenClosed() throws {
    let disk = FaultDisk()
    let killed = try open(disk, "FULL")
    try killed.write { try $0.execute(sql: "CREATE TABLE word (text TEXT)") }
    try killed.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    disk.kill()
    disk.restart()
    let next = try open(disk, "FULL")
    try next.write { try $0.execute(sql: "INSERT INTO word VALUES ('a')") }
    try killed.close()
    disk.kill()
    disk.restart()
    #expect(try open(disk, "FULL").read { try String.fetchAll($0, sql: "SELECT text FROM word") } == ["a"])
  }

  @Test func otherPathsAreOnTheRealDisk() throws {
    let disk = FaultDisk()
    let beside = disk.folder + "-beside"
    defer { try? FileManager.default.removeItem(atPath: beside) }
    _ = try DatabaseQueue(path: beside).write { try $0.execute(sql: "CREATE TABLE word (text TEXT)") }
    #expect(FileManager.default.fileExists(atPath: beside))
    _ = try open(disk, "FULL").write { try $0.execute(sql: "CREATE TABLE word (text TEXT)") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder).isEmpty)
    #expect(disk["words.sqlite"]?.isEmpty == false)
  }

  @Test func sameSeedLosesSameWrites() throws {
    let contents = try (0..<32).map { number in
      let disk = FaultDisk()
      let database = try open(disk, "OFF")
      try database.write { try $0.execute(sql: "CREATE TABLE word (text TEXT)") }
      try database.close()
      disk.cut(seed: UInt64(number / 2))
      disk.restart()
      return disk["words.sqlite"]
    }
    for number in 0..<16 { #expect(contents[2 * number] == contents[2 * number + 1], "seed \(number)") }
    #expect(Set(contents).count > 2)
  }

  @Test func failsChosenCallWithChosenError() throws {
    let disk = FaultDisk()
    let database = try open(disk, "FULL")
    try database.write { try $0.execute(sql: "CREATE TABLE word (text TEXT)") }
    let codes: [(FaultDisk.Call, FaultDisk.Failure, ResultCode)] = [
      (.write, .inputOutput, .SQLITE_IOERR), (.sync, .inputOutput, .SQLITE_IOERR), (.write, .diskFull, .SQLITE_FULL),
    ]
    for (call, failure, code) in codes {
      disk.fail(call, at: 1, failure)
      #expect("\(call) \(failure)") {
        try database.write { try $0.execute(sql: "INSERT INTO word VALUES ('a')") }
      } throws: {
        ($0 as? DatabaseError)?.resultCode == code
      }
      #expect(disk.failures == 1)
      disk.heal()
    }
    #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM word") } == 0)
  }
}
