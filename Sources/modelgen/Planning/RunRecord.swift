// What `generate` remembers of a run, so that the next one need not do everything again to change nothing.

/// A line with two digests, then what an unchanged run says. It is believed only where both digests fit all bytes that
/// are there now, so a record may be damaged, old or gone at any time. Its format may change in every version, because
/// the tool is in the digests.
struct RunRecord: Hashable {
  /// The folder that records are in, which tells git to ignore it.
  static let folderName = ".modelgen-cache"
  static let fileName = "last-run"

  /// With fewer schema files everything is done in less time than anyone notices.
  static let fewestFiles = 50

  var text: String

  /// `inputs` has digested the tool, its arguments and the schema. `files` are all of this run; the manifest may name
  /// others besides.
  init(_ inputs: ByteDigest, _ manifest: Manifest, _ files: [OutputFile], closing: String) {
    var all = inputs
    all.add(manifest.text)
    for file in files.sorted(by: { $0.path < $1.path }) {
      all.add(file.path)
      all.add(file.contents)
    }
    all.add(closing)
    text = "\(inputs.hexadecimal) \(all.hexadecimal)\n\(closing)"
  }

  init(text: String) { self.text = text }

  /// Whether the tool, its arguments and the schema are the same as in this run.
  func hasInputs(_ inputs: ByteDigest) -> Bool { text.hasPrefix("\(inputs.hexadecimal) ") }

  /// What an unchanged run says.
  var closing: String { String(text[text.index(after: text.firstIndex(of: "\n") ?? text.startIndex)...]) }
}
