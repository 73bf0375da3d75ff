// The words of other tools for keys of the schema language, for "did you mean".

extension Suggestion {
  /// The key that a word most likely means: a word of other tools for one of them, or a misspelt one.
  static func key(for word: String, among keys: [String]) -> String? {
    let plain = word.lowercased().filter { $0 != "_" && $0 != "-" }
    let meant = synonyms.first { $0.words.contains(plain) && keys.contains($0.key) }
    return meant?.key ?? nearest(to: word, among: keys)
  }

  /// In lowercase, without `_` and `-`. A word may stand for two keys that are in different places. What is written
  /// behind it is read as the key's, so only words are here that mean the same: `id` or `index` would be a guess.
  private static let synonyms: [(key: String, words: Set<String>)] = [
    ("doc", ["comment", "description", "documentation", "note", "summary"]),
    ("was", ["formerly", "oldname", "previousname", "renamed", "renamedfrom"]),
    // Of a model.
    ("fields", ["attributes", "columns", "members", "properties", "props"]),
    ("operations", ["actions", "commands", "methods", "mutations", "ops"]),
    ("lists", ["collections", "queries"]),
    ("access", ["permissions", "policies", "rights", "roles", "rules"]),
    ("queue", ["container", "partition", "shared", "sharing", "space", "zone"]),
    ("ephemeral", ["presence", "temporary", "transient", "volatile"]),
    ("unions", ["oneof", "oneofs", "variants"]),
    // Of a list.
    ("where", ["condition", "filter", "filters", "if", "matching", "predicate", "query"]),
    ("order", ["orderby", "sort", "sortby", "sortedby"]),
    ("section", ["group", "groupby", "grouping", "sectionby"]),
    ("distinct", ["dedupe", "unique", "uniqueby"]),
    ("per", ["by", "foreach", "of"]),
    ("limit", ["count", "max", "maximum", "take", "top"]),
    // Of an operation.
    ("parameters", ["args", "arguments", "inputs", "variables"]),
    ("set", ["assign", "change", "edit", "update", "write"]),
    ("clear", ["nil", "null", "reset", "unset"]),
    ("insert", ["add", "append", "push", "union"]),
    ("remove", ["drop", "exclude", "pull", "subtract"]),
    ("increment", ["add", "bump", "count", "inc", "increase"]),
    ("raise", ["atleast", "largest", "maximum", "newest"]),
    ("lower", ["atmost", "minimum", "smallest"]),
    ("create", ["make", "new"]),
    ("upsert", ["createorupdate", "merge"]),
    ("delete", ["destroy", "erase"]),
    ("follow", ["addmember", "invite", "join", "share", "subscribe"]),
    ("unfollow", ["kick", "leave", "removemember", "unshare", "unsubscribe"]),
    ("requires", ["demands", "guard", "needs", "precondition", "require"]),
  ]
}
