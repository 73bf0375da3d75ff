// Tests that the code of docs/guides/sync.md compiles, and does what the guide says.

import Foundation
import ModelRuntime
import MomentsModels
import TestSupport
import Testing

@Suite struct SyncGuideTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("secret", Token.secret)
    try folder.setPermissions(0o600, of: "secret")
  }

  @Test(arguments: [("docs/guides/sync.md", 19), ("README.md", 1)])
  func theSwiftOfTheGuideIsCompiled(document: String, count: Int) throws {
    let text = try String(contentsOf: Repository.url(document), encoding: .utf8)
    let example = try String(
      contentsOf: Repository.url("Tests/ModelserverTests/SyncGuideExample.swift"), encoding: .utf8)
    let blocks = text.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
    let ours = blocks.filter { document != "README.md" || $0.contains("SyncClient") }
    #expect(ours.count == count)
    for block in ours { #expect(plain(example).contains(plain(block)), "\(document) has other Swift:\n\(block)") }
  }

  /// Without indentation and repeated spaces, because documents line comments up.
  private func plain(_ text: some StringProtocol) -> String {
    text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: "\n")
  }

  @Test func opensAnEmptyStoreInPlaceOfADamagedOne() async throws {
    let me = UserID(subject: "anna", issuer: nil)
    let path = folder.url("store").path
    let store = try openStore(in: URL(filePath: path), of: me)
    store.create(Moment(title: "Summer"))
    try await store.close()
    try folder.write("store/store.sqlite", String(repeating: "?", count: 10_000))
    #expect(try openStore(in: URL(filePath: path), of: me).objects(Moment.self).isEmpty)
    #expect(folder.exists("store/store.sqlite"))
  }

  @Test func asksBeforeWorkGoesThatOnlyDeviceHas() async throws {
    let me = UserID(subject: "anna", issuer: nil)
    let store = try openStore(in: folder.url("store"), of: me)
    #expect(!isLostWithoutDevice(store))
    // Refused, so it is in no outbox.
    store.update(Moment.ID.new()) { $0.title = "Winter" }
    #expect(store.pendingOperations.isEmpty && isLostWithoutDevice(store))
    for item in store.failedOperations { try await store.dismiss(item) }
    #expect(!isLostWithoutDevice(store))
    store.create(Moment(title: "Summer"))
    #expect(isLostWithoutDevice(store))
    try await store.close()
  }

  private func session(_ user: String, _ server: URL) -> Session {
    Session(subject: user, issuer: nil, server: server) { _ in Token.make(user) }
  }

  @Test func syncsTwoDevicesAndHidesDataFromTheNextUser() async throws {
    let server = try ServerOfATest(Program.built("modelserver").url, in: folder.url)
    let phone = try await SyncedData(of: session("anna", server.url), in: folder.url("phone"))
    let moment = Moment(title: "Summer")
    phone.store.create(moment)
    try await backgroundTask(phone)
    #expect(phone.store.pendingOperations.isEmpty)
    let tablet = try await SyncedData(of: session("anna", server.url), in: folder.url("tablet"))
    await tablet.start()
    for try await value in tablet.store.updates(of: moment.id) where value != nil { break }
    tablet.store.update(moment.id) { $0.title = "Summer at the lake" }
    for await status in await tablet.client.statusUpdates where status.pendingOperations == 0 { break }
    try await signOut(tablet)
    try await backgroundTask(phone)
    #expect(try phone.store.object(moment.id)?.title == "Summer at the lake")

    let ben = try await SyncedData(of: session("ben", server.url), in: folder.url("tablet"))
    try await backgroundTask(ben)
    #expect(try ben.store.objects(Moment.self).isEmpty)
  }

  @Test func refusesSubjectThatDiffersFromTheToken() async throws {
    let server = try ServerOfATest(Program.built("modelserver").url, in: folder.url)
    let wrong = Session(subject: "ana", issuer: nil, server: server.url) { _ in Token.make("anna") }
    let data = try await SyncedData(of: wrong, in: folder.url("phone"))
    data.store.create(Moment(title: "Summer"))
    try await data.store.waitUntilSaved()
    let refusal = SyncError(.signedOut, "The server refuses the token: The token is of another user than the request.")
    await #expect(throws: refusal) { try await data.client.syncOnce() }
    #expect(data.store.pendingOperations.count == 1)
  }

  @Test func workStaysPendingWithoutAServer() async throws {
    let me = UserID(subject: "anna", issuer: nil)
    let store = try ModelStore(at: folder.url("store").path, schema: MomentsSchema.self, user: me)
    store.create(Moment(title: "Summer"))
    try await store.waitUntilSaved()
    await #expect(throws: SyncError.self) {
      try await SyncClient(store: store, transport: NoServer()).syncOnce()
    }
    #expect(try store.objects(Moment.self).count == 1 && store.pendingOperations.count == 1)
  }
}
