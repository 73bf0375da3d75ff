// Server-sent events for the page, fed by the change sets of lists, by sync and by files.
import FlyingFox
import FlyingSocks
import Foundation
import ModelRuntime
import Moments

extension Page {
  /// `GET /events?list=timeline`: the events of one grid, and those that every view of the page needs.
  func addEventRoute(to routes: inout RoutedHTTPHandler) {
    routes.appendRoute("GET /events?list=*") { [self] request in
      let moment = request.query["list"].flatMap { Moment.ID($0) }
      let events = EventStream(of: events(of: try grid(request), in: moment))
      return HTTPResponse(
        statusCode: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
        body: HTTPBodySequence(from: events))
    }
  }

  private func events(of grid: any PhotoGrid, in moment: Moment.ID?) -> AsyncStream<PageEvent> {
    // Each event tells the present state. A browser that reads too slowly misses the oldest events.
    AsyncStream(bufferingPolicy: .bufferingNewest(256)) { events in
      let task = Task { [self] in
        await withTaskGroup(of: Void.self) { group in
          group.addTask { for await change in grid.changes() { events.yield(PageEvent("grid", change)) } }
          group.addTask { [self] in for await _ in moments.updates { events.yield(PageEvent("moments", Empty())) } }
          group.addTask { [self] in
            for await _ in inbox.updates {
              events.yield(PageEvent("notifications", Empty()))
              events.yield(PageEvent("status", await status()))
            }
          }
          if let moment {
            // While this page is open, others see that; and it tells who else has the moment open.
            group.addTask { [store] in try? await store.keepShowing(Looking(moment: moment)) }
            group.addTask { [self] in
              for await names in onlookers(of: moment) { events.yield(PageEvent("looking", names)) }
            }
          }
          group.addTask { [self] in
            for await _ in statusChanges() { events.yield(PageEvent("status", await status())) }
          }
        }
      }
      events.onTermination = { _ in task.cancel() }
    }
  }

  /// The names of others who have a moment open, now and after every change.
  private func onlookers(of moment: Moment.ID) -> AsyncStream<[String]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { names in
      let task = Task { [self] in
        // Ends by an error only when the store is closed.
        try? await {
          for try await signals in store.signalUpdates(Looking.self, in: moment.queueID) {
            names.yield(signals.map { name(of: $0.user) ?? "somebody" }.sorted())
          }
        }()
        names.finish()
      }
      names.onTermination = { _ in task.cancel() }
    }
  }

  /// Yields now, whenever sync, files or the switch may have changed, and every 15 seconds. A write to a closed browser
  /// fails, so the regular ones reveal it.
  private func statusChanges() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { changes in
      let task = Task { [self] in
        await withTaskGroup(of: Void.self) { group in
          if let client = device.client {
            group.addTask { for await _ in await client.statusUpdates { changes.yield() } }
          }
          group.addTask { [self] in for await _ in store.files.progressUpdates { changes.yield() } }
          group.addTask { [self] in for await _ in device.network.modes { changes.yield() } }
          group.addTask { while (try? await Task.sleep(for: .seconds(15))) != nil { changes.yield() } }
        }
      }
      changes.onTermination = { _ in task.cancel() }
    }
  }
}

struct PageEvent: Sendable {
  let bytes: [UInt8]

  init(_ name: String, _ value: some Encodable) {
    let json = (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    bytes = Array("event: \(name)\ndata: \(json)\n\n".utf8)
  }
}

/// Events as the body of a response, each sent at once.
struct EventStream: AsyncBufferedSequence {
  typealias Element = UInt8
  private let events: AsyncStream<PageEvent>

  init(of events: AsyncStream<PageEvent>) {
    self.events = events
  }

  func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate var events: AsyncStream<PageEvent>.Iterator

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? { await events.next()?.bytes }

    /// Never called, because bodies are read by buffers.
    mutating func next() async throws -> UInt8? { preconditionFailure("events are read by buffers") }
  }
}
