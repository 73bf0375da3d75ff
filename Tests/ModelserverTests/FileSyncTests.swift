// Files between two devices over the real server.

import Foundation
import ModelSupport
import MomentsModels
import SyncProtocol
import TestSupport
import Testing

@Suite struct FileSyncTests {
  @Test func recipientReadsASharedFile() async throws {
    let server = try LiveServer()
    let (anna, ben) = (try Device("anna", server.url), try Device("ben", server.url))
    let moment = Moment(title: "Summit", startsAt: nil, cover: nil)
    anna.store.create(moment)
    let owner = Member(moment: moment.id, user: anna.store.user, name: "Anna")
    anna.store.create(owner)
    let bytes = Device.bytes(3_000_000)
    let file = try await anna.store.files.add(from: .bytes(bytes), name: "summit.jpg")
    #expect(file.mime == "image/jpeg" && file.size == 3_000_000)
    let photo = Photo(moment: moment.id, owner: owner.id, file: file, takenAt: .now)
    anna.store.create(photo)
    try await anna.store.waitUntilSaved()
    #expect(anna.store.files.status(of: file, in: photo.queueID) == .uploading(sent: 0, of: 3_000_000))
    let share = anna.store.perform(Moment.Share(moment.id, photos: [photo.id], recipient: ben.store.user))
    try await anna.client.syncOnce()
    try await share.waitUntilConfirmed()
    #expect(anna.store.files.status(of: file, in: photo.queueID) == .uploaded)
    #expect(anna.store.files.progress.isIdle)

    try await ben.client.syncOnce()
    let seen = try #require(try ben.store.object(photo.id))
    #expect(ben.store.files.status(of: seen.file, in: seen.queueID) == .remote)
    try await ben.syncing {
      let local = try await ben.store.files.read(seen.file, in: seen.queueID)
      #expect(try local.bytes() == bytes)
      #expect(ben.store.files.status(of: seen.file, in: seen.queueID) == .uploaded)
    }
    // The device that added the file has it, and does not fetch it.
    #expect(try await anna.store.files.read(file, in: photo.queueID).bytes() == bytes)
    #expect(server.stop() == 0)
  }

  @Test func uploadsSharedFilesBeforeImportedOnes() async throws {
    let server = try LiveServer()
    let (anna, ben) = (try Device("anna", server.url), try Device("ben", server.url))
    let moment = Moment(title: "Hut to hut", startsAt: nil, cover: nil)
    anna.store.create(moment)
    try await anna.client.syncOnce()
    var photos: [Photo] = []
    for number in 0..<300 {
      let file = try await anna.store.files.add(from: .bytes(Device.bytes(2_000 + number)), name: "\(number).jpg")
      photos.append(Photo(moment: moment.id, owner: .zero, file: file, takenAt: .now))
    }
    anna.store.create(contentsOf: photos)
    try await anna.store.waitUntilSaved()
    let shared = photos[200..<210].map(\.id)
    let share = anna.store.perform(Moment.Share(moment.id, photos: shared, recipient: ben.store.user))
    try await anna.store.waitUntilSaved()
    try await anna.syncing {
      try await share.waitUntilConfirmed()
      let left = anna.store.files.progress.uploads
      #expect(left > 200, "the share went out before the other 290: \(left) were left")
      for await progress in anna.store.files.progressUpdates where progress.isIdle { break }
    }
    try await ben.client.syncOnce()
    #expect(try ben.store.objects(Photo.self).count == 300)
    #expect(server.stop() == 0)
  }

  @Test func doesNotUploadFileOfDeletedObject() async throws {
    let server = try LiveServer()
    let anna = try Device("anna", server.url)
    let moment = Moment(title: "Blurred", startsAt: nil, cover: nil)
    anna.store.create(moment)
    try await anna.client.syncOnce()
    let file = try await anna.store.files.add(from: .bytes(Device.bytes(50_000)), name: "a.jpg")
    let photo = Photo(moment: moment.id, owner: .zero, file: file, takenAt: .now)
    anna.store.create(photo)
    try await anna.store.waitUntilSaved()
    anna.store.delete(photo.id)
    try await anna.client.syncOnce()
    #expect(anna.store.files.progress.isIdle)
    #expect(try await server.metric("modelserver_file_bytes_received_total") == 0)
    #expect(server.stop() == 0)
  }

  @Test func fileOfAnotherQueueIsCopiedOnTheServer() async throws {
    let server = try LiveServer()
    let (phone, tablet) = (try Device("anna", server.url), try Device("anna", server.url))
    let library = Moment(title: "Library", startsAt: nil, cover: nil)
    phone.store.create(library)
    let file = try await phone.store.files.add(from: .bytes(Device.bytes(100_000)), name: "a.jpg")
    phone.store.create(Photo(moment: library.id, owner: .zero, file: file, takenAt: .now))
    try await phone.client.syncOnce()
    let before = try #require(try await server.metric("modelserver_file_bytes_received_total"))
    // The tablet has never had the bytes.
    try await tablet.client.syncOnce()
    let trip = Moment(title: "Trip", startsAt: nil, cover: nil)
    tablet.store.create(trip)
    let photo = Photo(moment: trip.id, owner: .zero, file: file, takenAt: .now)
    tablet.store.create(photo)
    try await tablet.client.syncOnce()
    #expect(tablet.store.files.progress.isIdle)
    #expect(try await server.metric("modelserver_file_bytes_received_total") == before, "nothing went up again")
    try await phone.client.syncOnce()
    #expect(try phone.store.object(photo.id)?.file == file)
    let reply = try await server.send("HEAD", "/files/\(trip.id.rawValue)/\(file.hash)", token: Token.make("anna"))
    #expect(reply.status == 204 && reply.fields["upload-complete"] == "?1")
    #expect(server.stop() == 0)
  }

  @Test func refusesToReadFileReferenceWithWrongSize() async throws {
    let server = try LiveServer()
    let (anna, ben) = (try Device("anna", server.url), try Device("ben", server.url))
    let moment = Moment(title: "Lies", startsAt: nil, cover: nil)
    anna.store.create(moment)
    let file = try await anna.store.files.add(from: .bytes(Device.bytes(5_000)), name: "a.jpg")
    anna.store.create(Photo(moment: moment.id, owner: .zero, file: file, takenAt: .now))
    anna.store.perform(Moment.Share(moment.id, photos: [], recipient: ben.store.user))
    try await anna.client.syncOnce()
    try await ben.client.syncOnce()
    try await ben.syncing {
      for size in [0, 1, 4_999, 5_001, .max, -1] as [Int64] {
        let lie = FileReference(hash: file.hash, size: size, mime: "", name: "../..")
        let error = await #expect(throws: FileError.self) { try await ben.store.files.read(lie, in: moment.id.queueID) }
        #expect(error?.code == .wrongBytes, "\(size)")
      }
      let local = try await ben.store.files.read(file, in: moment.id.queueID)
      #expect(try local.bytes().count == 5_000)
    }
    #expect(server.stop() == 0)
  }

  @Test func deviceLosesFilesOfAnEndedQueue() async throws {
    let server = try LiveServer()
    let (anna, ben) = (try Device("anna", server.url), try Device("ben", server.url))
    let moment = Moment(title: "Party", startsAt: nil, cover: nil)
    anna.store.create(moment)
    let file = try await anna.store.files.add(from: .bytes(Device.bytes(5_000)), name: "a.jpg")
    anna.store.create(Photo(moment: moment.id, owner: .zero, file: file, takenAt: .now))
    anna.store.perform(Moment.Share(moment.id, photos: [], recipient: ben.store.user))
    try await anna.client.syncOnce()
    try await ben.syncing {
      for try await seen in ben.store.updates(of: moment.id) where seen != nil { break }
      _ = try await ben.store.files.read(file, in: moment.id.queueID)
      #expect(ben.store.files.url(of: file) != nil)
      anna.store.delete(moment.id)
      try await anna.client.syncOnce()
      for try await gone in ben.store.updates(of: moment.id) where gone == nil { break }
    }
    #expect(ben.store.files.url(of: file) == nil)
    await #expect(throws: FileError.self) { try await ben.store.files.read(file, in: moment.id.queueID) }
    #expect(server.stop() == 0)
  }
}
