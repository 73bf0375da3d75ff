// The same photos as models, blobs, protobuf messages and JSON, and the measured work on them.

import Foundation
import ModelSupport
import Peer
import SwiftProtobuf

/// A class, because the buffers are written to in every round.
final class CodecSamples {
  let photos: [BenchPhoto]
  let blobs: [[UInt8]]
  let peers: [PeerPhoto]
  let jsonPhotos: [JSONPhoto]
  let jsons: [Data]
  private let bytes: [UInt8]
  private var copy: [UInt8]
  private var buffer: BlobBuffer

  init(count: Int) throws {
    photos = (0..<UInt64(count)).map(BenchPhoto.sample)
    blobs = try photos.map { try $0.encoded() }
    peers = try blobs.map { try PeerPhoto(serializedBytes: $0) }
    // Foundation is slow, so a tenth of the photos is enough.
    jsonPhotos = peers[..<(count / 10)].map(JSONPhoto.init)
    jsons = try jsonPhotos.map { try JSONEncoder().encode($0) }
    bytes = blobs.flatMap { $0 }
    copy = bytes
    buffer = BlobBuffer(capacity: bytes.count + 1_024)
    let agree = try zip(peers, blobs).allSatisfy { try $0.serializedBytes() as [UInt8] == $1 }
    precondition(agree, "the peers disagree about the bytes")
  }

  var subjects: [Subject] {
    [
      Subject(name: "decode, swift-protobuf", operations: blobs.count, run: decodePeers),
      Subject(name: "decode", operations: blobs.count, run: decode),
      Subject(name: "decode, Foundation JSON", operations: jsons.count, run: decodeJSON),
      Subject(name: "decode list keys only", operations: blobs.count, run: scanKeys),
      Subject(name: "encode, swift-protobuf", operations: peers.count, run: encodePeers),
      Subject(name: "encode to a fresh array", operations: photos.count, run: encode),
      Subject(name: "encode a batch into one buffer", operations: photos.count, run: encodeBatch),
      Subject(name: "encode, Foundation JSON", operations: jsonPhotos.count, run: encodeJSON),
      Subject(name: "memcpy of the bytes", operations: blobs.count, run: copyBytes),
    ]
  }

  private func decodePeers() throws -> Int {
    var sum = 0
    for blob in blobs { sum &+= Int(try PeerPhoto(serializedBytes: blob).width) }
    return sum
  }

  private func decode() throws -> Int {
    var sum = 0
    for blob in blobs { sum &+= Int(try BenchPhoto(id: .zero, blob: blob).width) }
    return sum
  }

  private func decodeJSON() throws -> Int {
    var sum = 0
    for json in jsons { sum &+= Int(try JSONDecoder().decode(JSONPhoto.self, from: json).width) }
    return sum
  }

  private func scanKeys() throws -> Int {
    var sum = 0
    for blob in blobs { sum &+= Int(try BenchKeys(scanning: blob).takenAt.millisecondsSince1970) }
    return sum
  }

  private func encodePeers() throws -> Int {
    var sum = 0
    for index in peers.indices {
      // Encodes from a local variable, as callers do.
      let peer = peers[index]
      sum &+= (try peer.serializedBytes() as [UInt8]).count
    }
    return sum
  }

  private func encode() throws -> Int {
    var sum = 0
    for index in photos.indices { sum &+= try photos[index].encoded().count }
    return sum
  }

  private func encodeBatch() throws -> Int {
    buffer.removeAll()
    try buffer.append(contentsOf: photos)
    return buffer.count
  }

  private func encodeJSON() throws -> Int {
    var sum = 0
    for photo in jsonPhotos { sum &+= try JSONEncoder().encode(photo).count }
    return sum
  }

  private func copyBytes() -> Int {
    copy.withUnsafeMutableBytes { target in bytes.withUnsafeBytes { target.copyMemory(from: $0) } }
    return Int(copy[copy.count - 1])
  }
}
