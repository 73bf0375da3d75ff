// A step in which users, or the system, do something with files.

import ModelTypes
import SyncProtocol
import TestSupport
import WireFormat

extension World {
  /// Lets somebody take a photo or look at one, makes the network cost money for a while, or empties a cache.
  func useFiles() throws {
    guard has(.files), let device = anyDevice(), device.closing == nil else { return }
    switch random.below(100) {
    case 0..<40: try use(device) { $0.takePhoto() }
    case 40..<80: try use(device) { $0.look() }
    case 80..<90:
      count("networks that cost money")
      device.setNetwork(isExpensive: true)
      time.after(Int64(random.below(30_000))) { device.setNetwork(isExpensive: false) }
    default: device.emptyCache()
    }
  }

  /// Lets the user do something in one of the albums that they know.
  func use(_ device: Device, _ body: (SimulatedUser) -> Void) throws {
    if !isDiskFailing(of: device) { try act(on: device, body) }
  }
}

extension Device {
  /// Removes some files from the cache, as the system or the user may: they can be fetched again.
  func emptyCache() {
    cachesEmptied += 1
    for path in files.paths(in: "files/cache") where world.random.chance(50) {
      world.count("files that the system takes from a cache")
      files.takeAway(path)
    }
  }

  /// Whether it has the bytes of a file in a folder or below it; unless told, anywhere.
  func hasBytes(of hash: ContentHash, in folder: String = "files") -> Bool {
    let name = "/\(hash)"
    if files.live.files["\(folder)\(name)"] != nil { return true }
    return files.live.files.contains { $0.key.hasSuffix(name) && $0.key.hasPrefix(folder + "/") }
  }
}
