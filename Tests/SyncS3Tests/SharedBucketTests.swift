// Tests of the files of a service that two servers share by a bucket.

import Foundation
import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@testable import SyncS3

@Suite struct SharedBucketTests {
  private let bytes = Array("a picture of a mountain".utf8)
  private var place: FileKey { FileKey(queue: .queue(1), hash: ContentHash(of: bytes)) }

  private let anna = UserID(UUIDValue(high: 1, low: 1))

  /// A device's request ends at one server, and its next one goes to another.
  @Test func anUploadGoesOnAtAnotherServer() async throws {
    guard let bucket = try S3Service.bucket("shared") else { return }
    let folder = try TemporaryFolder()
    let service = SyncService(storage: try SQLiteStorage(path: folder.url("team.sqlite").path))
    _ = try await service.commit(.birth(of: .queue(1)), by: Asker(anna, schema: ""))
    let servers = [S3Storage(bucket), S3Storage(bucket)].map { FileService(service, files: $0, threads: 2) }
    for (index, part) in [bytes[..<5], bytes[5..<6], bytes[6..<20], bytes[20...]].enumerated() {
      let files = servers[index % 2]
      guard case .part(var upload) = try await files.begin(place, at: Int64(part.startIndex), by: anna) else {
        Issue.record("part \(index) begins elsewhere")
        return
      }
      try await files.append(Array(part), to: &upload)
      if index < 3 { try await files.pause(upload) } else { try await files.finish(upload) }
    }
    for files in servers {
      let download = try await files.download(place, by: anna)
      #expect(try await files.read(download, at: 0, count: 100) == bytes)
      #expect(try await files.status(of: place, by: anna).isComplete)
    }
  }
}
