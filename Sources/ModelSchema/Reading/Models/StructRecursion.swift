// Finds structs that contain themselves without a list in between: their values would be infinitely large.

enum StructRecursion {
  /// Reports each cycle once, at the field that closes it.
  static func check(_ files: [DeclaredFile], _ findings: Findings) {
    var search = Search(findings: findings)
    var order: [TypeName] = []
    for file in files {
      for declared in file.structs {
        let name = TypeName(model: file.outline.model?.text, name: declared.name.text)
        if search.fields[name] == nil { order.append(name) }
        search.fields[name] = declared.fields
      }
    }
    for name in order { search.visit(name) }
  }

  private struct Search {
    let findings: Findings
    var fields: [TypeName: [DeclaredField]] = [:]
    var finished: Set<TypeName> = []

    /// A depth-first search with a stack of its own: chains of thousands of structs are legal, and too deep for
    /// recursion.
    mutating func visit(_ root: TypeName) {
      guard !finished.contains(root) else { return }
      var path = [root]
      var onPath: Set<TypeName> = [root]
      var pending = [inner(root)]
      while let last = pending.indices.last {
        guard let (field, target) = pending[last].popLast() else {
          pending.removeLast()
          let done = path.removeLast()
          onPath.remove(done)
          finished.insert(done)
          continue
        }
        if onPath.contains(target) {
          report(field, path[(path.firstIndex(of: target) ?? 0)...] + [target])
        } else if !finished.contains(target) {
          path.append(target)
          onPath.insert(target)
          pending.append(inner(target))
        }
      }
    }

    private func inner(_ name: TypeName) -> [(DeclaredField, TypeName)] {
      (fields[name] ?? []).reversed().compactMap { field in
        guard case .structure(let target) = field.type?.base, field.type?.position != .list else { return nil }
        return (field, target)
      }
    }

    private func report(_ field: DeclaredField, _ cycle: ArraySlice<TypeName>) {
      let shown = cycle.prefix(8).map { "`\($0.name)`" }.joined(separator: " → ")
      findings.report(
        .structRecursion, "A struct contains itself only through a list: \(shown).", at: field.typeRange)
    }
  }
}
