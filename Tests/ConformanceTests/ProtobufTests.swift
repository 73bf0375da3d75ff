// Blobs are protobuf: Google's decoder reads what the codec has written, and the codec reads the decoder's bytes.
import Foundation
import ModelSupport
import MomentsModels
import TestSupport
import Testing
import TypeMatrix

@Suite struct ProtobufTests {
  static let count: UInt64 = 400

  struct Sample {
    var message: String
    var seed: UInt64
    var blob: [UInt8]
    var text: String
    /// Whether these bytes are read back as the value that was written.
    var isReadFrom: ([UInt8]) -> Bool
  }

  @Test(
    arguments: [
      (MomentsSchema.self, "Generated/Proto/moments.proto"),
      (TypeMatrixSchema.self, "Tests/TypeMatrix/Generated/Proto/typematrix.proto"),
    ] as [(any SchemaDescription.Type, String)])
  func pythonAndCodecReadEachOthersBlobs(schema: any SchemaDescription.Type, proto: String) throws {
    let samples = try SeededModels.of(schema).flatMap { try Self.samples($0, in: schema) }
    #expect(samples.count == schema.models.count * Int(Self.count))
    try check(samples, proto)
  }

  @Test func pythonAndCodecReadEachOthersEphemeralValues() throws {
    let samples = try (0..<Self.count).map { seed in
      let value = Cursor.fixture(seed: seed)
      return Sample(
        message: "typematrix.Cursor", seed: seed, blob: try value.encoded(), text: ProtobufText.text(of: value),
        isReadFrom: { blob in
          var read = Cursor.zero
          return (try? read.merge(blob)) != nil && read == value
        })
    }
    try check(samples, "Tests/TypeMatrix/Generated/Proto/typematrix.proto")
  }

  @Test func unknownFieldsSurviveAnOlderSchema() throws {
    for seed in 0..<Self.count {
      let newer = VersionTwo.fixture(seed: seed)
      let older = try VersionOne(id: ObjectID(newer.id.rawValue), blob: try newer.encoded())
      let back = try VersionTwo(id: newer.id, blob: try older.encoded())
      #expect(back == newer, "seed \(seed)")
    }
  }

  /// Python reads blobs by the older schema and writes them again. The fields that it does not know survive.
  @Test func unknownFieldsSurviveAnOlderSchemaInPython() throws {
    let samples = try (0..<Self.count).map { seed in
      let newer = VersionTwo.fixture(seed: seed)
      let blob = try newer.encoded()
      let older = try VersionOne(id: ObjectID(newer.id.rawValue), blob: blob)
      return Sample(
        message: "typematrix.VersionOne", seed: seed, blob: blob, text: ProtobufText.text(of: older),
        isReadFrom: { (try? VersionTwo(id: newer.id, blob: $0)) == newer })
    }
    try check(samples, "Tests/TypeMatrix/Generated/Proto/typematrix.proto")
  }

  private static func samples<Value: SeededModel>(
    _ type: Value.Type, in schema: any SchemaDescription.Type
  ) throws -> [Sample] {
    let message = "\(schema.name.lowercased()).\(Value.modelName.prefix(1).uppercased())\(Value.modelName.dropFirst())"
    return try (0..<count).map { seed in
      let value = Value.fixture(seed: seed)
      return Sample(
        message: message, seed: seed, blob: try value.encoded(), text: ProtobufText.text(of: value),
        isReadFrom: { (try? Value(id: value.id, blob: $0)) == value })
    }
  }

  private func check(_ samples: [Sample], _ path: String) throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let proto = tests.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(path)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("modelgen-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = tests.appendingPathComponent("decode.py")
    let input = samples.reduce(into: Data()) { data, sample in
      for part in [Data(sample.message.utf8), Data(sample.blob)] {
        withUnsafeBytes(of: UInt32(part.count).bigEndian) { data.append(contentsOf: $0) }
        data.append(part)
      }
    }
    try input.write(to: folder.appendingPathComponent("in"))
    guard
      try run(
        "protoc",
        ["-I\(proto.deletingLastPathComponent().path)", "--descriptor_set_out=descriptors", proto.lastPathComponent],
        folder),
      try run("python3", [script.path, "descriptors", "in", "out"], folder)
    else { return }
    var output = try Data(contentsOf: folder.appendingPathComponent("out"))[...]
    for sample in samples {
      let text = String(decoding: take(&output), as: UTF8.self)
      let bytes = [UInt8](take(&output))
      #expect(text == sample.text, "\(sample.message), seed \(sample.seed)")
      #expect(sample.isReadFrom(bytes), "\(sample.message), seed \(sample.seed): Python's bytes are read otherwise")
    }
    #expect(output.isEmpty)
  }

  private func take(_ data: inout Data) -> Data {
    let length = data.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let part = data.dropFirst(4).prefix(length)
    data = data.dropFirst(4 + length)
    return part
  }

  /// Returns false if the tool is missing, which is printed, and fails where `CI` is set. Asks for the system's Python
  /// first, because that one has the packages of the system.
  private func run(_ name: String, _ arguments: [String], _ folder: URL) throws -> Bool {
    guard let program = try Program.find(name, first: ["/usr/bin"]) else { return false }
    let outcome = try program.run(arguments, in: folder)
    if outcome.errors.contains("No module named 'google'") {
      print("Python has no protobuf: conformance is not checked")
      #expect(ProcessInfo.processInfo.environment["CI"] != "true", "Python has no protobuf")
      return false
    }
    try #require(outcome.status == 0, "\(name): \(outcome.text)")
    return true
  }
}
