// The release that generated code names, by which a lost lock is noticed.

extension OutputFolder {
  /// The version in the registry that is there, such as `1.4`; nil where there is none, or it names none.
  func release(in files: [OutputFile]) -> String? {
    guard let registry = files.first(where: { $0.path.hasSuffix("ModelgenRegistry.generated.swift") }),
      case .file(let bytes)? = try? entry(registry.path, limit: .max)
    else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let parts = lines.first { $0.contains(" static let version = \"") }?.split(separator: "\"")
    return parts.flatMap { $0.count == 2 ? String($0[1]) : nil }
  }
}
