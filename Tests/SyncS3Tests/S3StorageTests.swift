// Tests of files in a bucket: they behave as files in a folder do, and servers share them.

import Foundation
import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@testable import SyncS3

@Suite struct S3StorageTests {
  private let queue = QueueID.queue(1)
  private let bytes = Array("a picture of a mountain".utf8)
  private var place: FileKey { FileKey(queue: queue, hash: ContentHash(of: bytes)) }

  private func storage(_ name: String = #function) throws -> S3Storage? {
    let prefix = name.prefix { $0.isLetter || $0.isNumber }.lowercased()
    return try S3Service.bucket(prefix).map { S3Storage($0) }
  }

  @Test func aSmallFileIsOneObject() throws {
    guard let files = try storage() else { return }
    #expect(try files.partSize(of: place) == nil && files.size(of: place) == nil)
    #expect(try files.read(place, at: 0, count: 10) == nil)
    try files.append(Array(bytes[..<9]), to: place, at: 0)
    try files.append(Array(bytes[9...]), to: place, at: 9)
    #expect(try files.partSize(of: place) == Int64(bytes.count))
    try files.finish(place)
    #expect(try files.partSize(of: place) == nil)
    #expect(try files.size(of: place) == Int64(bytes.count))
    #expect(try files.read(place, at: 2, count: 7) == Array(bytes[2..<9]))
    #expect(try files.read(place, at: 20, count: 100) == Array(bytes[20...]))
    #expect(try files.read(place, at: 23, count: 100) == [] && files.read(place, at: 99, count: 1) == [])
    try files.remove(place)
    try files.remove(place)
    #expect(try files.size(of: place) == nil)
  }

  @Test func anEmptyFileIsAFile() throws {
    guard let files = try storage() else { return }
    let place = FileKey(queue: queue, hash: ContentHash(of: []))
    try files.finish(place)
    #expect(try files.size(of: place) == 0 && files.read(place, at: 0, count: 10) == [])
  }

  /// Bytes of requests that have ended are there for every server, also after the end of this one.
  @Test func anotherServerGoesOn() throws {
    guard let first = try storage(), let second = try storage() else { return }
    try first.append(Array(bytes[..<5]), to: place, at: 0)
    #expect(try second.partSize(of: place) == nil, "the request has not ended")
    try first.pause(place)
    #expect(try second.partSize(of: place) == 5)
    #expect(try second.readPart(of: place, at: 1, count: 10) == Array(bytes[1..<5]))
    try second.append(Array(bytes[5..<7]), to: place, at: 5)
    try second.pause(place)
    try first.append(Array(bytes[7...]), to: place, at: 7)
    try first.finish(place)
    #expect(try second.read(place, at: 0, count: 100) == bytes)
    #expect(try second.partSize(of: place) == nil && first.queues() == [])
  }

  @Test func aHoleIsNoUpload() throws {
    guard let files = try storage() else { return }
    #expect(throws: StorageError.self) { try files.append([1], to: place, at: 5) }
    try files.append(bytes, to: place, at: 0)
    try files.pause(place)
    #expect(throws: StorageError.self) { try files.append([1], to: place, at: Int64(bytes.count) + 1) }
    try files.append([1, 2], to: place, at: 0)
    #expect(try files.partSize(of: place) == 2, "it has begun again")
  }

  /// Two servers write to one upload: what becomes a file are the bytes of the hash, or nothing.
  @Test func otherBytesNeverGetTheName() throws {
    guard let first = try storage(), let second = try storage() else { return }
    try first.append(Array(bytes[..<9]), to: place, at: 0)
    try first.pause(place)
    try first.append(Array(bytes[9...]), to: place, at: 9)
    try second.append(Array("another ".utf8), to: place, at: 0)
    try second.pause(place)
    #expect(throws: StorageError.self) { try first.finish(place) }
    #expect(try first.size(of: place) == nil)
  }

  @Test func aLargeFileIsWrittenInParts() throws {
    guard let files = try storage() else { return }
    var random = SeededRandom(seed: 7)
    let bytes = (0..<20_000_000 / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    let place = FileKey(queue: queue, hash: ContentHash(of: bytes))
    for start in stride(from: 0, to: bytes.count, by: 300_000) {
      try files.append(Array(bytes[start..<min(start + 300_000, bytes.count)]), to: place, at: Int64(start))
    }
    try files.finish(place)
    #expect(try files.size(of: place) == Int64(bytes.count))
    #expect(try files.read(place, at: 9_999_990, count: 20) == Array(bytes[9_999_990..<10_000_010]))
    #expect(try files.read(place, at: 0, count: bytes.count) == bytes)
    #expect(try files.queues() == [], "nothing of the upload is left")
  }

  @Test func copiesAreFilesOfTheirOwn() throws {
    guard let files = try storage() else { return }
    let copy = FileKey(queue: .queue(2), hash: place.hash)
    #expect(try files.copy(from: place, to: copy) == false)
    try files.append(bytes, to: place, at: 0)
    try files.finish(place)
    #expect(try files.copy(from: place, to: copy) && files.copy(from: place, to: copy))
    try files.remove(place)
    #expect(try files.read(copy, at: 0, count: 100) == bytes)
  }

  @Test func uploadsThatHaveStoppedGo() throws {
    guard let files = try storage(), let bucket = try S3Service.bucket("uploadsthathavestoppedgo") else { return }
    let client = S3Client(bucket)
    let whole = FileKey(queue: queue, hash: ContentHash(of: [1]))
    try files.append([1], to: whole, at: 0)
    try files.finish(whole)
    try files.append(bytes, to: place, at: 0)
    try files.pause(place)
    _ = try client.begin("files/\(queue)/\(place.hash)")
    #expect(try files.queues() == [queue])
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    try files.removeParts(of: queue, before: Timestamp(millisecondsSince1970: now - 3_600_000))
    // moto dates all of the second kind 2010.
    #expect(try files.partSize(of: place) != nil)
    try files.removeParts(of: queue, before: Timestamp(millisecondsSince1970: now + 3_600_000))
    #expect(try files.partSize(of: place) == nil && client.begun("files/").isEmpty && files.queues() == [])
    #expect(try files.size(of: whole) == 1)
  }

  @Test func moreThanAPageIsListed() throws {
    guard let bucket = try S3Service.bucket("pages") else { return }
    let client = S3Client(bucket)
    for number in 0..<1_003 { try client.put([], as: "parts/\(number / 2)/\(number)") }
    #expect(try client.list("parts/").count == 1_003)
    #expect(try client.folders("parts/").count == 502)
  }

  @Test func whatIsWrongWithABucketIsSaid() throws {
    guard let wrong = try S3Service.bucket("wrong", secret: "another"),
      let none = try S3Service.bucket("none", name: "no-such-bucket")
    else { return }
    let refused = #expect(throws: StorageError.self) { try S3Storage(wrong).check() }
    #expect(
      refused?.message
        == "The server cannot read the bucket team-files: the storage of files says SignatureDoesNotMatch.")
    let missing = #expect(throws: StorageError.self) { try S3Storage(none).check() }
    #expect(
      missing?.message == "The server cannot read the bucket no-such-bucket: the storage of files says NoSuchBucket.")
    let away = S3Storage(
      try S3Bucket(
        "s3://bucket",
        environment: [
          "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:1", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
        ]))
    let silent = #expect(throws: StorageError.self) { try away.check() }
    #expect(silent?.message.contains("does not answer") == true)
  }

  /// The same calls, drawn by a seed, to a bucket that two servers share and to a folder.
  @Test(arguments: 1...6 as ClosedRange<UInt64>) func itIsAFolder(seed: UInt64) throws {
    guard let first = try storage("seed\(seed)"), let second = try storage("seed\(seed)") else { return }
    let home = try TemporaryFolder()
    let folder = FolderStorage(path: home.url("files").path)
    var random = SeededRandom(seed: seed)
    let contents = (0..<3).map { index in (0..<40).map { UInt8($0 + index) } }
    let places = contents.flatMap { content in
      [queue, .queue(2)].map { FileKey(queue: $0, hash: ContentHash(of: content)) }
    }
    for step in 0..<120 {
      let (files, index) = (random.pick([first, second]), random.below(places.count))
      let (place, content) = (places[index], contents[index / 2])
      let size = try folder.partSize(of: place)
      let context = "seed \(seed), step \(step)"
      switch random.below(8) {
      case 0...2:
        let offset = random.below(4) == 0 ? 0 : Int(size ?? 0)
        let piece = Array(content[offset..<min(offset + 1 + random.below(30), 40)])
        if piece.isEmpty { continue }
        for storage in [folder, files] as [any FileStorage] {
          try storage.append(piece, to: place, at: Int64(offset))
          try storage.pause(place)
        }
      case 3 where size == 40:
        for storage in [folder, files] as [any FileStorage] { try storage.finish(place) }
      case 4: for storage in [folder, files] as [any FileStorage] { try storage.discardPart(of: place) }
      case 5: for storage in [folder, files] as [any FileStorage] { try storage.remove(place) }
      case 6:
        let target = places[index ^ 1]
        #expect(try folder.copy(from: place, to: target) == files.copy(from: place, to: target), "\(context)")
      default:
        let (offset, count) = (Int64(random.below(50)), 1 + random.below(50))
        #expect(
          try folder.read(place, at: offset, count: count) == files.read(place, at: offset, count: count), "\(context)")
        if size != nil {
          let (mine, theirs) = try (
            folder.readPart(of: place, at: offset, count: count), files.readPart(of: place, at: offset, count: count)
          )
          // A bucket may give less at once.
          #expect(theirs == Array(mine.prefix(theirs.count)) && theirs.isEmpty == mine.isEmpty, "\(context)")
        }
      }
      #expect(try folder.partSize(of: place) == files.partSize(of: place), "\(context)")
      #expect(try folder.size(of: place) == files.size(of: place), "\(context)")
    }
  }
}
