// Blobs are protobuf: Google's own decoder reads from them what was written, and its bytes are read back.
import Foundation
import ModelRuntime
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
    /// Whether these bytes are read as the value that was written.
    var isReadFrom: ([UInt8]) -> Bool
  }

  @Test func pythonReadsWhatWasWritten() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let moments =
      try Self.samples(Photo.self, "moments.Photo", Photo.fixture(seed:))
      + Self.samples(MomentNotification.self, "moments.Notification", MomentNotification.fixture(seed:))
    try check(moments, root.appendingPathComponent("Generated/Proto/moments.proto"))
    let matrix =
      try Self.samples(EverySingle.self, "typematrix.EverySingle", EverySingle.fixture(seed:))
      + Self.samples(EveryOptional.self, "typematrix.EveryOptional", EveryOptional.fixture(seed:))
      + Self.samples(EveryList.self, "typematrix.EveryList", EveryList.fixture(seed:))
      + Self.samples(EverySet.self, "typematrix.EverySet", EverySet.fixture(seed:))
      + Self.samples(InStruct.self, "typematrix.InStruct", InStruct.fixture(seed:))
      + Self.samples(Derived.self, "typematrix.Derived", Derived.fixture(seed:))
    try check(matrix, root.appendingPathComponent("Tests/TypeMatrix/Generated/Proto/typematrix.proto"))
  }

  @Test func unknownFieldsSurviveAnOlderSchema() throws {
    for seed in 0..<Self.count {
      let newer = VersionTwo.fixture(seed: seed)
      let older = try VersionOne(id: ObjectID(newer.id.rawValue), blob: try newer.encoded())
      let back = try VersionTwo(id: newer.id, blob: try older.encoded())
      #expect(back == newer, "seed \(seed)")
    }
  }

  private static func samples<Value: Model>(
    _ type: Value.Type, _ message: String, _ make: (UInt64) -> Value
  ) throws -> [Sample] {
    try (0..<count).map { seed in
      let value = make(seed)
      return Sample(
        message: message, seed: seed, blob: try value.encoded(), text: ProtobufText.text(of: value),
        isReadFrom: { (try? Value(id: value.id, blob: $0)) == value })
    }
  }

  private func check(_ samples: [Sample], _ proto: URL) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("modelgen-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("decode.py")
    let input = samples.reduce(into: Data()) { data, sample in
      for part in [Data(sample.message.utf8), Data(sample.blob)] {
        withUnsafeBytes(of: UInt32(part.count).bigEndian) { data.append(contentsOf: $0) }
        data.append(part)
      }
    }
    try input.write(to: folder.appendingPathComponent("in"))
    let path = proto.deletingLastPathComponent().path
    guard
      try run("protoc", ["-I\(path)", "--descriptor_set_out=descriptors", proto.lastPathComponent], folder),
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

  /// False where the tool is missing, which is said aloud and fails where `CI` is set. The system's Python is asked
  /// for first: it is the one that has the packages of the system.
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
