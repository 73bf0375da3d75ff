// Measures the memory of objects that are held for lists, their blobs included.

import Foundation
import ModelSupport
import Peer
import SwiftProtobuf

extension Benchmark {
  static let memory = Benchmark(name: "memory", summary: "bytes of an object that is held for lists") { effort in
    let count = effort.objects
    let aim = Aim.atMost(340, "bytes")
    let peer = try weigh("swift-protobuf's message and its blob as Data", count) {
      try (0..<UInt64(count)).map { number in
        let blob = Data(try BenchPhoto.sample(number).encoded())
        return (try PeerPhoto(serializedBytes: blob), blob)
      }
    }
    let weights = [
      peer,
      try weigh("swift-protobuf's message alone", count) {
        try (0..<UInt64(count)).map { try PeerPhoto(serializedBytes: try BenchPhoto.sample($0).encoded()) }
      },
      try weigh("the decoded model and its blob as [UInt8]", count) {
        try (0..<UInt64(count)).map { number in
          let blob = try BenchPhoto.sample(number).encoded()
          return (try BenchPhoto(id: .zero, blob: blob), blob)
        }
      },
      try weigh("the decoded model alone", count) {
        try (0..<UInt64(count)).map { try BenchPhoto(id: .zero, blob: try BenchPhoto.sample($0).encoded()) }
      },
      try weigh("blobs in one arena, plain entries of list keys", count) { try BlobArena(count: count) },
    ]
    let heading =
      "\(count) objects of 13 fields, a blob of \(try BenchPhoto.sample(1).encoded().count) bytes; "
      + "what malloc gave for one object, and how much the process grew."
    let asked = Set(["the decoded model and its blob as [UInt8]", "blobs in one arena, plain entries of list keys"])
    let rows = weights.map { weight in
      Report.Row(
        what: weight.what, figure: "\(weight.allocated) bytes, \(weight.resident) resident",
        ratio: String(format: "%.2f", Double(weight.allocated) / Double(peer.allocated)),
        aims: asked.contains(weight.what) ? [(aim, Double(weight.allocated))] : [])
    }
    return [Report(heading: heading, rows: rows)]
  }
}

/// Entries of list keys, and blobs in one buffer, without references. A model is decoded from its blob on access.
private final class BlobArena {
  struct Entry {
    var id: ObjectID<BenchPhoto>
    var takenAt: Timestamp
    var start: UInt32
    var count: UInt32
    var hidden: Bool
  }

  private var blobs: BlobBuffer
  private var entries = [Entry]()

  init(count: Int) throws {
    let photos = (0..<UInt64(count)).lazy.map(BenchPhoto.sample)
    // Reserves a little more, because the buffer doubles when an object might not fit.
    blobs = BlobBuffer(capacity: try photos.reduce(4_096) { $0 + (try $1.encoded().count) })
    entries.reserveCapacity(count)
    for photo in photos {
      let range = try blobs.append(photo)
      let keys = try BenchKeys(scanning: blobs[range])
      entries.append(
        Entry(
          id: photo.id, takenAt: keys.takenAt, start: UInt32(range.lowerBound), count: UInt32(range.count),
          hidden: keys.hidden))
    }
  }
}
