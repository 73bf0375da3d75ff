// Puts a server together, runs it, and ends it in order.

import Commands
import Determinism
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import SyncServer
import WireFormat

enum RunningServer {
  /// Runs the server. Returns when it was told to stop, and has stopped. Begins again where its database has moved.
  static func run(_ configuration: ServerConfiguration) async throws {
    let signals = await Signals()
    var hasServed = false
    while await !signals.isStopping {
      do {
        guard try await hasMoved(whileServing: configuration, signals) else { return }
        hasServed = true
        Terminal.notice("modelserver begins again: PostgreSQL has begun another timeline.")
      } catch let mistake as Mistake where hasServed {
        // The database may move once more, or be away for a while.
        Terminal.error("error: \(mistake.message) modelserver tries again.")
        try await RuntimeEnvironment.current.sleep(milliseconds: 1_000)
      }
    }
  }

  /// Serves to the end. Returns whether it has ended because its database has moved.
  private static func hasMoved(whileServing configuration: ServerConfiguration, _ signals: Signals) async throws -> Bool
  {
    let limits = configuration.limits
    let logger = configuration.log.logger()
    let tokens = try await configuration.tokens.checker(logger)
    let access = try configuration.access.read()
    let workers = WorkerThreads.ofUsers
    let database = try configuration.database.open(creates: configuration.creates, readers: workers)
    if let since = database.lostSince {
      Terminal.notice("What was acknowledged since \(since) may be lost in this database; clients send it again.")
    }
    let service = SyncService(
      storage: database.storage, history: database.history, access: access, polls: limits.polls,
      invitations: limits.invitations, room: limits.room)
    let newestNoted = try await Mistake.ofStorage("database") { try await database.newestNoted() }
    try await Mistake.ofStorage("database") { try await service.begin() }
    database.listen(for: service)
    let parts = ServerParts(
      identity: database.identity, service: service,
      files: FileService(service, files: database.files, quota: limits.quota, threads: database.fileThreads),
      workers: workers, tokens: tokens,
      rate: RequestRate(perSecond: limits.requestsPerSecond), memory: BodyMemory(bytes: limits.bodyMegabytes << 20),
      metrics: Metrics(), connections: Connections(strangers: limits.strangers, perUser: limits.maxConnectionsPerUser),
      isStopping: Flag(),
      isDamaged: { database.isDamaged }, isAway: { database.isAway },
      disk: DiskSpace(paths: database.places, leastBytes: Int64(limits.leastFreeMegabytes) << 20),
      fileBytes: Int64(limits.fileMegabytes) << 20, logger: logger)
    let upkeep = UpkeepLoop(
      service: service, files: parts.files, rules: limits.upkeep,
      everyMilliseconds: limits.upkeepEvery.milliseconds, environment: .current,
      surroundings: Surroundings(disk: parts.disk, logger: logger), errors: parts.errors, logger: logger,
      newestNoted: newestNoted.millisecondsSince1970)
    let announcement = Announcement(ports: configuration.metricsPort == nil ? 1 : 2)
    var services: [any Service] = [upkeep, clients(configuration, parts, announcement)]
    // Services end in the opposite order, so the operator's port is the last one and shows the end of the others.
    if let port = configuration.metricsPort {
      services.insert(operators(port, configuration, parts, announcement, database), at: 0)
    }
    let hasMoved = try await run(services, parts, configuration, database, signals)
    // The versions that were seen last.
    _ = try? await service.storeTime()
    try database.close()
    return hasMoved
  }

  private static func clients(
    _ configuration: ServerConfiguration, _ parts: ServerParts, _ announcement: Announcement
  ) -> any Service {
    let connections = OpenFiles.raise(forConnections: configuration.limits.maxConnections)
    if connections < configuration.limits.maxConnections {
      Terminal.error("warning: the system allows this process \(connections) connections; see `ulimit -n`.")
    }
    return listener(
      ServerResponder(parts: parts), "modelserver listens on", configuration.host, configuration.port, "--port",
      configuration, parts.connections, atMost: connections, announcement)
  }

  private static func operators(
    _ port: Int, _ configuration: ServerConfiguration, _ parts: ServerParts, _ announcement: Announcement,
    _ database: any ServedDatabase
  ) -> any Service {
    // Has connections of its own, so that the many of the other port cannot keep the operator out.
    listener(
      OperatorResponder(parts: parts, database: database), "metrics are on", "127.0.0.1", port, "--metrics-port",
      configuration, Connections(strangers: .unbounded), atMost: 64, announcement)
  }

  private static func listener<Responder: HTTPResponder>(
    _ responder: Responder, _ words: String, _ host: String, _ port: Int, _ flag: String,
    _ configuration: ServerConfiguration, _ connections: Connections, atMost count: Int,
    _ announcement: Announcement
  ) -> any Service where Responder.Context == ServerContext {
    let logger = configuration.log.logger { StartedLog(announcement: announcement, handler: $0) }
    let limits = configuration.limits
    let times = ConnectionTimes(
      head: limits.headerTime.milliseconds * 1_000_000, body: limits.bodyTime.milliseconds * 1_000_000,
      bytesOfBody: limits.bodyTime.milliseconds * LimitOptions.slowestBytesPerSecond / 1_000,
      idle: limits.idleTime.milliseconds * 1_000_000)
    let channel = HTTP1Channel.Configuration(
      additionalChannelHandlers: [ConnectionHandler(times, connections)],
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100))
    let application = Application(
      responder: responder, server: .http1(configuration: channel),
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port), backlog: 1_024,
        availableConnectionsDelegate: .maximum(count, logger: logger)),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? port
        announcement.listens("\(words) http://\(host.contains(":") ? "[\(host)]" : host):\(port)")
      }, logger: logger)
    return Listener(application: application, flag: flag, host: host, port: port)
  }

  /// Returns whether the services have ended because the database has moved.
  private static func run(
    _ services: [any Service], _ parts: ServerParts, _ configuration: ServerConfiguration,
    _ database: any ServedDatabase, _ signals: Signals
  ) async throws -> Bool {
    var groupConfiguration = ServiceGroupConfiguration(
      services: services.map { .init(service: $0) }, logger: parts.logger)
    groupConfiguration.maximumGracefulShutdownDuration = .milliseconds(configuration.limits.shutdownTime.milliseconds)
    let group = ServiceGroup(configuration: groupConfiguration)
    let stop: @Sendable () async -> Void = {
      parts.isStopping.set()
      // Ends the polls first, because the services wait for every request that is under way.
      await parts.service.close()
      await group.triggerGracefulShutdown()
    }
    let run = Signals.Run(readAgain: { await configuration.readAgain(for: parts) }, stop: stop)
    guard await signals.begin(run) else { return false }
    let hasMoved = Flag()
    do {
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
          for await _ in database.moves {
            hasMoved.set()
            await stop()
          }
        }
        try await group.run()
        tasks.cancelAll()
      }
      await signals.end()
    } catch {
      await signals.end()
      throw error
    }
    return hasMoved.isSet
  }
}

extension WorkerThreads {
  /// One user may have as many threads as there are processors, which is all that a user alone could use. Two more are
  /// for the others, who need not wait for that user's long jobs.
  fileprivate static var ofUsers: WorkerThreads {
    let processors = System.coreCount
    return WorkerThreads(processors + 2, atOnce: processors, name: "worker", waiting: 20_000, rest: 1)
  }
}
