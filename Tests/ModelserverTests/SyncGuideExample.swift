// The Swift code of docs/guides/sync.md and of the README's section on sync. SyncGuideTests compares and runs it.

import Foundation
import ModelRuntime
import MomentsModels

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The session of the user who is signed in, as the app of the guide has it.
struct Session: Sendable {
  var subject: String
  var issuer: String?
  var server: URL
  var tokens: @Sendable (_ isRefused: Bool) -> String

  func token(renewing: Bool) async throws -> String { tokens(renewing) }
}

/// What the app has while somebody is signed in: kept for as long as the app runs.
@MainActor
final class SyncedData {
  let store: ModelStore
  let client: SyncClient
  private var syncing: Task<Void, any Error>?

  init(of session: Session, in folder: URL) throws {
    let me = UserID(subject: session.subject, issuer: session.issuer)
    let place = folder.appending(path: "\(me.rawValue)")  // a folder for each user
    store = try ModelStore(at: place, schema: MomentsSchema.self, user: me)
    let transport = HTTPTransport(url: session.server) { isRefused in
      try await session.token(renewing: isRefused)  // yours: the bearer token of this user
    }
    client = SyncClient(store: store, transport: transport)
  }

  func start() {
    guard syncing == nil else { return }
    syncing = Task {
      defer { syncing = nil }
      try await client.run()
    }
  }

  /// Returns when nothing is sent any more.
  func stop() async throws {
    syncing?.cancel()
    try await syncing?.value
  }
}

func watch(_ client: SyncClient, show: (SyncStatus) -> Void) async {
  for await status in await client.statusUpdates { show(status) }
}

func signOut(_ data: SyncedData) async throws {
  try await data.store.waitUntilSaved()
  try await data.stop()
}

func isLostWithoutDevice(_ store: ModelStore) -> Bool {
  // On its way; what did not happen, as after a full disk, and was not seen yet; files that are not on the server yet.
  !store.pendingOperations.isEmpty || !store.failedOperations.isEmpty || store.files.progress.uploads > 0
}

func backgroundTask(_ data: SyncedData) async throws {
  try await data.stop()
  do { try await data.client.syncOnce() } catch is SyncError {}  // offline: the next one will do it
}

func openStore(in folder: URL, of me: UserID) throws -> ModelStore {
  do {
    return try ModelStore(at: folder, schema: MomentsSchema.self, user: me)
  } catch let error as StoreError where error.code == .damaged {
    let salvage = try ModelStore.salvage(at: folder, schema: MomentsSchema.self, user: me)
    for problem in salvage.problems { print(problem) }  // what could not be read
    return try ModelStore(at: folder, schema: MomentsSchema.self, user: me)
  }
}

struct NoServer: SyncTransport {
  func post(
    _ body: [UInt8], timeoutMilliseconds: Int64, didMove: @escaping @Sendable () -> Void
  ) async throws -> TransportAnswer {
    throw URLError(.notConnectedToInternet)
  }

  func refreshCredentials() async throws {}
}

final class ServerOfATest {
  let url: URL
  private let process = Process()

  init(_ modelserver: URL, in folder: URL) throws {
    let output = Pipe()
    process.executableURL = modelserver
    process.currentDirectoryURL = folder
    process.arguments = ["serve", "--create", "--database", "test.sqlite", "--secret-file", "secret", "--port", "0"]
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    url = URL(string: String(line.dropFirst("modelserver listens on ".count).prefix { $0 != "\n" }))!
  }

  deinit { process.terminate() }
}

func readme(folder: String, me: UserID, url: URL, token: String) async throws {
  let store = try ModelStore(at: folder, schema: MomentsSchema.self, user: me)
  let client = SyncClient(store: store, transport: HTTPTransport(url: url) { _ in token })
  try await client.run()  // sends and fetches for as long as the app lives
}

/// What a screen offers to a user who was taken in by others.
struct Invitations {
  let store: ModelStore

  func show() async throws {
    for try await invitations in store.invitationUpdates() {
      for invitation in invitations {
        let moment = try store.preview(Moment.self, of: invitation).first
        print("\(invitation.by.rawValue) invites you to \(moment?.title ?? "something")")
      }
    }
  }

  func answer(_ invitation: QueueInvitation, isYes: Bool) {
    if isYes { store.accept(invitation) } else { store.decline(invitation) }
  }
}

func openChat(with ben: UserID, in store: ModelStore) throws {
  let chat = Chat(people: [store.user, ben])  // Chat.id(people:) is its id, also without making it
  if try store.object(chat.id) == nil { store.create(chat) }  // it founds the chat, or joins it
  store.perform(Chat.Invite(chat.id))  // so that Ben sees it before he writes himself
}

func inviteByLink(to moment: Moment, until sunday: Timestamp, in store: ModelStore, show: (String) -> Void) {
  let link = InvitationLink(to: moment.id.queueID)  // a random secret
  store.open(link, as: .reader, uses: 20, until: sunday)  // to be sent when there is a connection
  show(link.text)  // 43 letters, digits, - and _: for a URL or a QR code
}

func joinByLink(_ text: String, in store: ModelStore, showWrongLink: () -> Void) async throws {
  guard let link = InvitationLink(text) else { return showWrongLink() }
  let joining = store.join(link)  // `joining.state` is `saved` until there is a connection
  try await joining.waitUntilConfirmed()  // throws `linkEnded` if the link is not open any more
}

/// The client of an app that asks its user about invitations.
func askingClient(store: ModelStore, transport: HTTPTransport) -> SyncClient {
  let client = SyncClient(store: store, transport: transport, invitations: .ask)
  return client
}

/// What a view of a photo offers.
struct PhotoRights {
  let mayDelete: Bool
  let mayEditCaption: Bool
  let mayAddAnother: Bool
  let mayLike: Bool

  init(of photo: Photo, in store: ModelStore) {
    mayDelete = store.can(.delete, photo.id)
    mayEditCaption = store.can(.change(\.caption), photo.id)
    mayAddAnother = store.can(create: Photo.self, in: photo.moment.queueID)
    mayLike = store.can(Photo.Like(photo.id))  // any operation, with all that it would change
  }
}

/// Shows that the user looks at a photo, until the task is cancelled: for the `.task` of a view.
func look(at photo: Photo, in store: ModelStore) async throws {
  try await store.keepShowing(Looking(moment: photo.moment, photo: photo.id))
}

/// Whom to name under the photo.
func onlookers(of photo: Photo, in store: ModelStore, show: ([UserID]) -> Void) async throws {
  for try await signals in store.signalUpdates(Looking.self, in: photo.moment.queueID) {
    show(signals.filter { $0.value.photo == photo.id }.map(\.user))  // not this user
  }
}

func lookOnce(at photo: Photo, in store: ModelStore) throws {
  try store.show(Looking(moment: photo.moment))
  store.hide(Looking.self, in: photo.moment.queueID)
}

func membersOfAMoment(_ moment: Moment, in store: ModelStore, show: ([QueueMember]) -> Void) async throws {
  for try await members in store.memberUpdates(of: moment.id.queueID) { show(members) }  // or once: store.members(of:)
}

func endAMoment(_ moment: Moment.ID, in store: ModelStore) {
  let end = store.delete(moment)  // all of it goes from the screen at once
  end.cancel()  // in time, it is all back
}

func reports(of store: ModelStore, show: (String) -> Void) async throws {
  for item in store.failedOperations {  // whenever they change: store.failedOperationUpdates()
    show("\(item.name): \(item.reason.message)")  // "photo.hide: You are not allowed to change this photo."
    try await store.dismiss(item)  // once the user has seen it
  }
}
