// A run that would change nothing does nothing but read: all that goes in and all that was written is as the last run
// has left it, byte for byte. `--check` never relies on that.
import ModelSchema

extension GenerateCommand {
  /// A digest of the tool, its arguments and the schema; nil where no run is remembered.
  func inputs(_ texts: SchemaTexts) -> ByteDigest? {
    guard !check, texts.files.count >= RunRecord.fewestFiles, let tool = Executable.bytes() else { return nil }
    var digest = ByteDigest()
    digest.add(tool)
    digest.add(repeated)
    for file in texts.files + [texts.lock].compactMap({ $0 }) {
      digest.add(file.path)
      digest.add(file.bytes)
    }
    return digest
  }

  /// What this run says, if it would change nothing and has nothing else to say. Nil where that is not certain; then
  /// everything is done, which also finds what is wrong here.
  func closing(ofLastRunWith inputs: ByteDigest, _ texts: SchemaTexts) -> String? {
    guard let configured = SchemaReader.output(of: texts.files),
      let folder = try? OutputFolder.open(
        output: output, configured: configured, schemaFolder: schema.folder, creating: false),
      let last = folder.lastRun(), last.hasInputs(inputs),
      let (manifest, files) = try? folder.outputs(only: only?.name),
      last == RunRecord(inputs, manifest, files, closing: last.closing)
    else { return nil }
    return last.closing
  }
}
