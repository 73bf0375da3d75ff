// Prints how the codec compares with its peers on the same values: medians of interleaved runs, and allocations.

import CAllocationCount
import Foundation
import ModelRuntime
import Peer
import SwiftProtobuf

struct JSONPhoto: Codable {
  var moment, owner, album: String
  var takenAt: Int64
  var caption: String?
  var hidden: Bool
  var width, height: Int32
  var latitude, longitude: Double?
  var views: Int64
  var camera: String
  var likedBy: [String]
}

/// One thing to measure: it does `count` operations and returns a number that depends on all of them.
struct Subject {
  let name: String
  let baseline: String
  let run: () throws -> Int
}

let count = 1_000
let photos = (0..<UInt64(count)).map(BenchPhoto.sample)
let blobs = try photos.map { try $0.encoded() }
let datas = blobs.map { Data($0) }
let peers = try datas.map { try PeerPhoto(serializedBytes: $0) }
let arena = blobs.flatMap { $0 }
var copy = arena
var buffer = BlobBuffer(capacity: arena.count + 1_024)
let jsons = try peers.map { peer in
  try JSONEncoder().encode(
    JSONPhoto(
      moment: peer.moment.base64EncodedString(), owner: peer.owner.base64EncodedString(),
      album: peer.album.base64EncodedString(), takenAt: peer.takenAt, caption: peer.caption, hidden: peer.hidden,
      width: peer.width, height: peer.height, latitude: peer.latitude, longitude: peer.longitude, views: peer.views,
      camera: peer.camera, likedBy: peer.likedBy.map { $0.base64EncodedString() }))
}
let peersAgree = try zip(peers, blobs).allSatisfy { try $0.serializedBytes() as [UInt8] == $1 }
precondition(peersAgree, "the peers disagree")

let subjects: [Subject] = [
  Subject(name: "decode, swift-protobuf", baseline: "") {
    var sum = 0
    for blob in blobs { sum &+= Int(try PeerPhoto(serializedBytes: blob).width) }
    return sum
  },
  Subject(name: "decode, modelgen", baseline: "decode, swift-protobuf") {
    var sum = 0
    for blob in blobs { sum &+= Int(try BenchPhoto(id: .zero, blob: blob).width) }
    return sum
  },
  Subject(name: "decode, Foundation JSON", baseline: "decode, swift-protobuf") {
    var sum = 0
    for json in jsons[..<100] { sum &+= Int(try JSONDecoder().decode(JSONPhoto.self, from: json).width) }
    return sum
  },
  Subject(name: "scan keys, modelgen", baseline: "decode, swift-protobuf") {
    var sum = 0
    for blob in blobs { sum &+= Int(try BenchKeys(scanning: blob).takenAt.millisecondsSince1970) }
    return sum
  },
  Subject(name: "encode, swift-protobuf", baseline: "") {
    var sum = 0
    for index in peers.indices {
      let peer = peers[index]
      sum &+= (try peer.serializedBytes() as [UInt8]).count
    }
    return sum
  },
  Subject(name: "encode, modelgen", baseline: "encode, swift-protobuf") {
    var sum = 0
    for index in photos.indices { sum &+= try photos[index].encoded().count }
    return sum
  },
  Subject(name: "encode a batch, modelgen", baseline: "encode, swift-protobuf") {
    buffer.removeAll()
    try buffer.append(contentsOf: photos)
    return buffer.count
  },
  Subject(name: "memcpy of the bytes", baseline: "encode, swift-protobuf") {
    copy.withUnsafeMutableBytes { target in arena.withUnsafeBytes { target.copyMemory(from: $0) } }
    return Int(copy[copy.count - 1])
  },
]

var times = [String: [Double]]()
var allocations = [String: Double]()
var sink = 0
for round in 0..<41 {
  for subject in subjects {
    let operations = Double(subject.name.contains("JSON") ? 100 : count)
    let before = allocation_count()
    let elapsed = try ContinuousClock().measure { sink &+= try subject.run() }
    let allotted = Double(allocation_count() - before) / operations
    guard round > 0 else { continue }
    let nanoseconds = Double(elapsed.components.attoseconds) / 1e9 + Double(elapsed.components.seconds) * 1e9
    times[subject.name, default: []].append(nanoseconds / operations)
    allocations[subject.name] = allotted
  }
}

@MainActor func median(_ name: String) -> Double { times[name].map { $0.sorted()[$0.count / 2] } ?? .nan }

print("blob of \(blobs[1].count) bytes; checksum \(sink)")
print("| what | ns | allocations | ratio |\n|---|---|---|---|")
for subject in subjects {
  let ratio = subject.baseline.isEmpty ? "1" : String(format: "%.2f", median(subject.baseline) / median(subject.name))
  let figures = String(format: "%.1f | %.2f", median(subject.name), allocations[subject.name] ?? .nan)
  print("| \(subject.name) | \(figures) | \(ratio) |")
}
