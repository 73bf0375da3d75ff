// What the readers of the parts of a schema have in common.

/// Reads a part of a schema file, and reports its mistakes.
protocol PartReader {
  var findings: Findings { get }
}

extension PartReader {
  var kinds: KindReader { KindReader(findings: findings) }
  var nameRules: NameRules { NameRules(findings) }
}

/// Reads a part that refers to fields of models.
protocol CatalogReader: PartReader {
  var catalog: Catalog { get }
}

extension CatalogReader {
  var findings: Findings { catalog.findings }
  var paths: PathResolver { PathResolver(catalog: catalog) }
}
