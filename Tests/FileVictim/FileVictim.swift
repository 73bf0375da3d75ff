// A program that uploads a file to a server, and prints its progress. A test kills it in the middle.
//
// FileVictim FOLDER URL TOKEN-FILE USER idle          syncs once
// FileVictim FOLDER URL TOKEN-FILE USER add PATH      adds a photo with this file to the store in FOLDER
// FileVictim FOLDER URL TOKEN-FILE USER bring         uploads everything in the store
// FileVictim FOLDER URL TOKEN-FILE USER read [QUEUE]  downloads the file of a photo, and prints its hash and size
//
// Each prints its peak memory at the end.

import Foundation
import ModelSupport
import MomentsModels

@main
struct FileVictim {
  private let store: ModelStore
  private let client: SyncClient

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 6, let url = URL(string: arguments[2]) else {
      FileHandle.standardError.write(Data("usage: FileVictim FOLDER URL TOKEN-FILE USER idle|add|bring|read\n".utf8))
      exit(2)
    }
    let victim = try FileVictim(folder: arguments[1], url: url, tokenFile: arguments[3], user: arguments[4])
    switch arguments[5] {
    case "add": try await victim.add(arguments[6])
    case "bring": try await victim.bring()
    case "read": try await victim.read(arguments.dropFirst(6).first)
    default: try await victim.client.syncOnce()
    }
    victim.say("memory \(peakMemory)")
    victim.say("end")
  }

  private init(folder: String, url: URL, tokenFile: String, user: String) throws {
    let user = UserID(subject: user, issuer: nil)
    store = try ModelStore(at: folder, schema: MomentsSchema.self, user: user)
    client = SyncClient(
      store: store,
      transport: HTTPTransport(url: url) { _ in
        try String(contentsOfFile: tokenFile, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
      })
  }

  private func add(_ path: String) async throws {
    let file = try await store.files.add(from: .path(path))
    let moment = Moment(title: "A long film", startsAt: nil, cover: nil)
    store.create(moment)
    store.create(Photo(moment: moment.id, owner: .zero, file: file, takenAt: .now))
    try await store.waitUntilSaved()
    say("added \(file.size) to \(moment.id.rawValue)")
  }

  /// Uploads files. Returns once nothing is left to upload.
  private func bring() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await client.run() }
      group.addTask {
        // The test kills the server too. Retrying at once saves the client's pauses.
        while true {
          try await Task.sleep(for: .milliseconds(50))
          await client.retry()
        }
      }
      group.addTask {
        for await progress in store.files.progressUpdates {
          say("sent \(progress.sentBytes)")
          if progress.isIdle { return }
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }

  private func read(_ queue: String?) async throws {
    try await client.syncOnce()
    let photos = try store.objects(Photo.self)
    guard let photo = photos.first(where: { queue == nil || $0.moment.rawValue.description == queue }) else { return }
    let syncing = Task { [client] in try await client.run() }
    let file = try await store.files.read(photo.file, in: photo.queueID)
    syncing.cancel()
    say("read \(file.hash) \(file.size)")
  }

  /// The peak memory of the process, in kilobytes.
  private static var peakMemory: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  private func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }
}
