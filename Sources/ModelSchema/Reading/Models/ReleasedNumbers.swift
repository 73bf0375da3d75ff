// The tags and numbers that releases gave away, so that a new field takes none of them and a released one keeps its own.

/// The numbers of the fields of a model or struct, or of the cases of an enum, as the lock has them.
struct ReleasedNumbers {
  /// The names that each number had, in any release.
  private var names: [Int: Set<String>] = [:]
  private var newest: [String: Int] = [:]

  /// `home` is the key of the owner: `model note struct place`. `kind` is `field` or `case`.
  init(_ lock: SchemaLock?, _ home: String, kind: String) {
    let start = "\(home) \(kind) "
    for (key, values) in lock?.facts ?? [:] where key.hasPrefix(start) && key.hasSuffix(" name") {
      guard let number = Int(key.dropFirst(start.count).dropLast(" name".count)) else { continue }
      names[number] = Set(values.map(\.value))
      if let name = lock?.newest(key) { newest[name] = number }
    }
  }

  /// Whether a release knows the number under the name of today or the one before.
  func has(_ number: Int, _ name: String, was: String?) -> Bool {
    guard let names = names[number] else { return false }
    return names.contains(name) || was.map(names.contains) ?? false
  }

  /// The number in the newest release of the thing that has this name today.
  func number(of name: String, was: String?) -> Int? { newest[name] ?? was.flatMap { newest[$0] } }

  var highest: Int { names.keys.max() ?? 0 }
}
