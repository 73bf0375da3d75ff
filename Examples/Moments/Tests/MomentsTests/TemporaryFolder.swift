// A folder that is removed after its test.
import Foundation

@testable import Moments

final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "moments-tests-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ bytes: [UInt8], _ path: String) throws {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  func device(_ name: String = "anna") throws -> Device {
    try Device(folder: url.appending(path: "store-\(name)"), name: name)
  }
}

/// A picture of one shade of grey. Each shade gives another picture.
func jpeg(shade: UInt8, width: Int = 32, height: Int = 24) throws -> [UInt8] {
  try JPEG.encode(Pixels(width: width, height: height, bytes: [UInt8](repeating: shade, count: width * height * 3)))
}
