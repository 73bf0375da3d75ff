// Files at the server: the route that devices speak to, and the operator's copies of the folder.

import Determinism
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension SimulatedServer {
  /// Begins to answer a request about a file; `done` is called with the answer. False if no server runs.
  func serve(_ request: FileExchange, of user: UserID, _ done: @escaping (FileReply) -> Void) -> Bool {
    guard let route, let process else { return false }
    let served = ServedRequest(.file(ServedFile(request)), of: PlainAsker(user: PlainID(user), schema: ""))
    let end = referee.begin(file: served)
    fileRequests.append(request)
    let finish = OnThisThread { (answer: FileReply) in
      guard !process.isOver else { return }
      end()
      self.fileRequests.removeAll { $0 === request }
      self.referee.check(answer, to: served)
      done(answer)
    }
    ServedRequest.$current.withValue(served) {
      process.executor.spawn { finish.call(await route.answer(request, by: user)) }
    }
    return true
  }

  /// Whether the server says that a file is there.
  func has(_ place: FileKey) -> Bool { referee.filePlaces.contains(place) }

  /// Downloads a file in pieces, and returns all of its bytes.
  func download(_ place: FileKey, by user: UserID) throws -> [UInt8] {
    guard let route, let process else { return [] }
    return try process.executor.run {
      let download = try await route.files.download(place, by: user)
      var bytes: [UInt8] = []
      while bytes.count < download.size {
        let piece = try await route.files.read(download, at: Int64(bytes.count), count: 50)
        if piece.isEmpty { break }
        bytes += piece
      }
      return bytes
    }
  }

  /// Breaks the requests of a process that has ended. Some devices learn it at once, the others by waiting.
  func breakFileRequests() {
    for request in fileRequests {
      request.isBroken = true
      if world.random.chance(80) { world.time.after(5) { request.end(nil) } }
    }
    fileRequests = []
  }

  /// Perhaps puts the folder of the backup back; a silent restore always does. After an announced one files may be
  /// missing.
  func putBackFolder(_ copy: SimulatedFolder.Copy, announced: Bool) {
    if !announced || world.random.chance(50) { folder.putBack(copy) }
    let places = folder.wholePlaces
    guard announced, !places.isEmpty else { return }
    for _ in 0..<world.random.below(4) { folder.lose(world.random.pick(places)) }
  }

  /// Forgets files that the folder has lost, as `modelserver restore` does, so that devices bring them again.
  static func forgetMissing(in storage: SQLiteStorage, _ world: World) throws {
    let executor = SeededExecutor(seed: world.random.next())
    let service = SyncService(storage: storage)
    let route = FileService(service, files: world.server.folder, calls: FileCalls(world: world, environment: .current))
    let count = try executor.run { try await route.forgetMissing() }
    world.count("files that a restore misses", count)
    world.server.referee.forgetMissing(count)
  }

  /// The operator loses a file while the server is down, and finds out.
  func loseFile(_ place: FileKey) throws {
    stop()
    folder.lose(place)
    world.notBroughtAgain.insert(place)
    try withoutServer { try Self.forgetMissing(in: $0, world) }
    try start()
  }
}
