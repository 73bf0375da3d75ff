// One round of measurements: the whole first load over HTTP, then its parts one after the other.

import CRawStore
import ClientStore
import ClientSync
import Foundation
import GraphQL
import ModelTypes
import SyncProtocol
import SyncServer
import WireFormat

struct Measurement {
  enum Part: CaseIterable { case raw, http, serving, reading, storing }

  private let queue: SampleQueue
  private let server: String
  private let folder: URL

  init(_ queue: SampleQueue, server: String, round: Int) throws {
    (self.queue, self.server) = (queue, server)
    folder = queue.folder.appending(path: "round-\(round)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func seconds() async throws -> [Part: Double] {
    defer { try? FileManager.default.removeItem(at: folder) }
    var seconds: [Part: Double] = [:]
    seconds[.http] = try await overHTTP()
    let (serving, bodies) = try await serve()
    seconds[.serving] = serving
    let (reading, pages) = try read(bodies)
    seconds[.reading] = reading
    seconds[.storing] = try await store(pages)
    seconds[.raw] = try raw(pages)
    return seconds
  }

  private func time(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private func newStore(_ name: String) throws -> ModelStore {
    try ModelStore(
      at: folder.appending(path: name).path, schema: NothingSchema.self, user: SampleQueue.user)
  }
}

/// A schema without models. The store keeps objects of unknown types too.
enum NothingSchema: SchemaDescription {
  static let name = "Nothing"
  static let models: [any Model.Type] = []
}

// The whole load over HTTP.
extension Measurement {
  func overHTTP() async throws -> Double {
    let program = try ServerProcess(server, queue, folder)
    defer { program.stop() }
    let store = try newStore("http")
    let transport = HTTPTransport(url: program.url) { [program] _ in program.token }
    let client = SyncClient(store: store, transport: transport)
    let seconds = try await time { try await client.syncOnce() }
    let places = queue.queues.map { store.place(of: $0) }
    // The creation of a queue takes a revision of its own.
    guard places.allSatisfy({ $0.load == .loaded }),
      places.reduce(0, { $0 + $1.cursor }) == Int64(queue.count + queue.queues.count)
    else { throw SampleQueue.Refused() }
    return seconds
  }
}

// The parts of the load, each alone.
extension Measurement {
  /// Makes the bodies of all pages as the server does, without HTTP. Returns the seconds and the bodies.
  private func serve() async throws -> (Double, [[UInt8]]) {
    let storage = try SQLiteStorage(path: queue.database)
    let service = SyncService(storage: storage)
    var bodies: [[UInt8]] = []
    var asked = DeltaRequest.Queue(queue: SampleQueue.id)
    var seconds = 0.0
    while true {
      let request = SyncCall.delta.body(DeltaRequest(queues: [asked]), schema: NothingSchema.name)
      seconds += await time { bodies.append(await service.answer(request, by: SampleQueue.user).body) }
      guard case .page(let page)? = try SyncCall.delta.answer(bodies[bodies.count - 1]).first?.result else {
        throw SampleQueue.Refused()
      }
      asked.cursor = page.cursor
      asked.scan = page.scan
      if page.end != nil { break }
    }
    try storage.close()
    return (seconds, bodies)
  }

  private func read(_ bodies: [[UInt8]]) throws -> (Double, [DeltaAnswer]) {
    let start = ContinuousClock.now
    let pages = try bodies.flatMap { try SyncCall.delta.answer($0) }
    return ((ContinuousClock.now - start) / .seconds(1), pages)
  }

  private func store(_ pages: [DeltaAnswer]) async throws -> Double {
    let store = try newStore("alone")
    let id = SampleQueue.id
    return try await time {
      for answer in pages {
        guard case .page = answer.result else { throw SampleQueue.Refused() }
        let question = DeltaQuestion(of: id, at: store.place(of: id), awaiting: [])
        try await store.receive([AnsweredDelta(question, at: answer.time, answer.result)])
      }
    }
  }

  private func raw(_ pages: [DeltaAnswer]) throws -> Double {
    let objects = pages.flatMap { answer -> [ObjectState] in
      if case .page(let page) = answer.result { page.objects } else { [] }
    }
    guard let store = raw_open(folder.appending(path: "raw.sqlite").path, "PRAGMA cache_size = -64000") else {
      throw SampleQueue.Refused()
    }
    defer { raw_close(store) }
    var rows = objects.map { object in
      var row = raw_object()
      withUnsafeMutableBytes(of: &row.id) { $0.copyBytes(from: object.id.bytes) }
      row.revision = object.revision
      row.newest_by = object.live?.newestBy ?? 0
      return row
    }
    let contents = objects.map { object in
      let content = object.live?.content ?? []
      let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(content.count, 1))
      copy.update(from: content, count: content.count)
      return (copy, content.count)
    }
    defer { for (copy, _) in contents { copy.deallocate() } }
    for index in rows.indices {
      rows[index].content = UnsafeRawPointer(contents[index].0)
      rows[index].count = Int32(contents[index].1)
    }
    let start = ContinuousClock.now
    guard raw_apply(store, rows, rows.count) == 0 else { throw SampleQueue.Refused() }
    return (ContinuousClock.now - start) / .seconds(1)
  }
}
