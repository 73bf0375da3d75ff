// Tests of the messages for errors of the system, by error number, and of the announcement that a server listens.

import Foundation
import Synchronization
import Testing

@testable import modelserver

@Suite struct MistakeTests {
  private static let writer = "The user that runs modelserver must be allowed to write there."

  @Test func systemErrorsComeWithAdvice() {
    let writing: [(Int32, String)] = [
      (ENOENT, "No such file or directory. Make the folder first."), (EACCES, "Permission denied. \(Self.writer)"),
      (EPERM, "Operation not permitted. \(Self.writer)"),
      (EROFS, "Read-only file system. Name a place that can be written."), (ENOTDIR, "Not a directory."),
    ]
    for (number, text) in writing { #expect(SystemReason.writing(number) == text) }
    let reading: [(Int32, String)] = [
      (EACCES, "Permission denied. The user that runs modelserver must be allowed to read it."),
      (EIO, "Input/output error."),
    ]
    for (number, text) in reading { #expect(SystemReason.reading(number) == text) }
  }

  @Test func tellsPortErrorsFromAddressErrors() {
    let start = "--metrics-port: cannot listen on 1.2.3.4:80: "
    let cases: [(Int32, String)] = [
      (EADDRINUSE, start + "Address already in use. Is another server running there?"),
      (EADDRNOTAVAIL, "--host: 1.2.3.4 is not an address of this machine."),
      (EACCES, start + "Permission denied. A port below 1024 needs rights: take another one, behind a proxy."),
      (ENOBUFS, start + "No buffer space available."),
    ]
    for (number, text) in cases {
      let mistake = Mistake.listening(number, at: "1.2.3.4", 80, "--metrics-port")
      #expect(mistake.message == text && mistake.status == .inputOutput)
    }
  }

  @Test func aServerSaysThatItListensWhenAllOfItsPortsDo() {
    let said = Said()
    let announcement = Announcement(ports: 2) { said.add($0) }
    announcement.listens("one")
    #expect(said.lines == [] && !announcement.isMade)
    announcement.listens("two")
    #expect(said.lines == ["one\ntwo"] && announcement.isMade)
  }
}

private final class Said: Sendable {
  private let all = Mutex<[String]>([])
  var lines: [String] { all.withLock { $0 } }

  func add(_ line: String) { all.withLock { $0.append(line) } }
}
