// How the codec compares with its peers on the same values: medians of interleaved runs, and allocations.

import Foundation

extension Benchmark {
  static let codec = Benchmark(name: "codec", summary: "bytes from models and models from bytes") { effort in
    let samples = try CodecSamples(count: 1_000)
    let (measured, checksum) = try measureInTurns(samples.subjects, rounds: effort.rounds)
    let rows = try CodecRow.all.map { row in try row.report(measured) }
    let heading =
      "A model of 13 fields, \(samples.blobs[1].count) bytes, medians of \(effort.rounds - 1) interleaved rounds, "
      + "checksum \(checksum)."
    return [Report(heading: heading, rows: rows)]
  }
}

/// A row of the report: a subject, its peer, and the aims of the design.
private struct CodecRow {
  let subject: String
  let peer: String
  var speed: Aim?
  var allocations: Aim?

  static let all = [
    CodecRow(subject: "decode, swift-protobuf", peer: "decode, swift-protobuf"),
    // Two allocations beside those of the two strings that are too long to be stored inline.
    CodecRow(
      subject: "decode", peer: "decode, swift-protobuf", speed: .atLeast(3.5),
      allocations: .atMost(4, "allocations, strings included")),
    CodecRow(subject: "decode, Foundation JSON", peer: "decode, swift-protobuf"),
    CodecRow(
      subject: "decode list keys only", peer: "decode, swift-protobuf", speed: .atLeast(10),
      allocations: .atMost(0, "allocations")),
    CodecRow(subject: "encode, swift-protobuf", peer: "encode, swift-protobuf"),
    CodecRow(subject: "encode to a fresh array", peer: "encode, swift-protobuf", speed: .atLeast(1.9)),
    CodecRow(
      subject: "encode a batch into one buffer", peer: "encode, swift-protobuf", speed: .atLeast(4),
      allocations: .atMost(0, "allocations")),
    CodecRow(subject: "encode, Foundation JSON", peer: "encode, swift-protobuf"),
    CodecRow(subject: "memcpy of the bytes", peer: "encode, swift-protobuf"),
  ]

  func report(_ measured: [String: Measurement]) throws -> Report.Row {
    guard let own = measured[subject], let other = measured[peer] else { throw MissingSubject(name: subject) }
    let ratio = other.nanoseconds / own.nanoseconds
    return Report.Row(
      what: subject, figure: String(format: "%.1f ns, %.2f allocations", own.nanoseconds, own.allocations),
      ratio: String(format: "%.2f", ratio),
      aims: [speed.map { ($0, ratio) }, allocations.map { ($0, own.allocations) }].compactMap { $0 })
  }
}

private struct MissingSubject: Error {
  let name: String
}
