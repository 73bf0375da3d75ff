// The generated files of all emitters, each with its kind of output.
import ModelEmitters
import ModelSchema

struct OutputFile: Hashable {
  /// The name of the emitter.
  var kind: String
  /// Relative to the output folder.
  var path: String
  var contents: [UInt8]

  /// All files of a schema, or those of one emitter. `flat` removes the folders from the paths.
  static func all(of schema: Schema, only: String?, flat: Bool) -> [OutputFile] {
    Emitter.all.filter { only == nil || $0.name == only }.flatMap { emitter in
      emitter.emit(schema).map { file in
        let path = flat ? String(file.path.split(separator: "/").last ?? "") : file.path
        return OutputFile(kind: emitter.name, path: path, contents: Array(file.contents.utf8))
      }
    }
  }
}
