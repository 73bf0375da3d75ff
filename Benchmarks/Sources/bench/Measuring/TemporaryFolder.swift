// A folder for one measurement, on the disk that the system has for temporary files.

import Foundation

final class TemporaryFolder: Sendable {
  let path = NSTemporaryDirectory() + "modelgen-bench-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Bytes of all files whose names end with `ending`.
  func size(of ending: String) throws -> Double {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(ending) }.reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
      return sum + (attributes[.size] as? NSNumber ?? 0).doubleValue
    }
  }
}
