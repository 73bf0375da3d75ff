// The output folder: whether its files are those that the schema gives, and which runtime they are for.
import ModelEmitters
import ModelSchema

enum OutputCheck {
  static func lines(_ project: ExaminedProject) -> [CheckupLine] {
    guard project.reading != nil else { return [] }
    guard let schema = project.schema, !project.isRefused else {
      return [.note("output", "not compared with the schema: `modelgen generate` refuses it as it is")]
    }
    do throws(FileProblems) {
      return try lines(project, schema)
    } catch {
      return error.problems.map { CheckupLine($0, "output") }
    }
  }

  private static func lines(_ project: ExaminedProject, _ schema: Schema) throws(FileProblems) -> [CheckupLine] {
    let folder = try OutputFolder.open(
      output: project.output, configured: schema.output, schemaFolder: project.folder, creating: false)
    let manifest = try folder.readManifest()
    let habit = GeneratingHabit(manifest, schema)
    let files = OutputFile.all(of: schema, only: habit.only, flat: habit.isFlat)
    guard let manifest else { return try withoutManifest(project, folder, files) }
    let plan = try folder.plan(files, of: schema.name, manifest, kinds: habit.only.map { [$0] })
    let generate = generate(project, habit)
    var lines = summary(plan, folder, generate)
    if manifest.hasConflict {
      lines.append(.problem("output", "\(joined(folder.path, Manifest.fileName)) has the marks of a merge", generate))
    }
    for path in try folder.strays(besides: files) where manifest.kinds[path] == nil {
      let text = "\(joined(folder.path, path)) is generated, and the manifest does not name it"
      lines.append(.note("output", text, "Delete it unless you have put it there"))
    }
    return lines + generation(folder, habit, generate)
  }

  /// Nothing was generated here, or the manifest is lost.
  private static func withoutManifest(
    _ project: ExaminedProject, _ folder: OutputFolder, _ files: [OutputFile]
  ) throws(FileProblems) -> [CheckupLine] {
    let generate = generate(project, GeneratingHabit(nil, nil))
    let existing = try folder.existing(of: files, nil).filter { $0.value != .missing }.map(\.key)
    let found = try (existing + folder.strays(besides: files)).sorted()
    if !found.isEmpty {
      let files = "\(counted(found.count, "file")) of ours: \(some(found))"
      let text = "\(folder.path) has no \(Manifest.fileName), and \(files)"
      return [.problem("output", text, generate + ", and commit the manifest with the files")]
    }
    if PluginCheck.generates(project) {
      return [.ok("output", "nothing in \(folder.path): the plugin generates when the target is built")]
    }
    return [.problem("output", "nothing in \(folder.path) yet", generate)]
  }

  private static func summary(_ plan: OutputPlan, _ folder: OutputFolder, _ generate: String) -> [CheckupLine] {
    let reasons = Dictionary(grouping: plan.differences, by: \.reason)
    guard !reasons.isEmpty else {
      return [.ok("output", "\(counted(plan.unchanged, "file")) in \(folder.path), all up to date")]
    }
    return reasons.sorted { $0.key < $1.key }.map { reason, differences in
      let reason = differences.count == 1 ? reason : reason.replacing("is ", with: "are ", maxReplacements: 1)
      let text = "\(counted(differences.count, "file")) in \(folder.path) \(reason): \(some(differences.map(\.path)))"
      return .problem("output", text, generate)
    }
  }

  /// Whether committed Swift is for the runtime that this version generates for.
  private static func generation(
    _ folder: OutputFolder, _ habit: GeneratingHabit, _ generate: String
  ) -> [CheckupLine] {
    let inFolders = RuntimeGeneration.path
    let path = habit.isFlat ? inFolders.split(separator: "/").last.map(String.init) ?? inFolders : inFolders
    guard let text = folder.text(of: path, limit: 16 << 20) else { return [] }
    let shown = joined(folder.path, path)
    let own = RuntimeGeneration.current.number
    guard let found = RuntimeGeneration(registry: text)?.number else {
      return [.problem("runtime", "\(shown) does not say which runtime it is for", generate)]
    }
    if found == own { return [.ok("runtime", "\(shown) is for the generation \(found), as this modelgen writes it")] }
    let remedy =
      found < own
      ? generate + ", with a package of this version" : "Update modelgen to the version of the package, then generate"
    return [.problem("runtime", "\(shown) is for the generation \(found), and this modelgen writes \(own)", remedy)]
  }

  private static func generate(_ project: ExaminedProject, _ habit: GeneratingHabit) -> String {
    let output = project.output.map { " --output \(quoted($0))" } ?? ""
    let command = project.command("generate").dropLast() + output + habit.options
    return "Run \(command)`"
  }
}

/// How a folder was generated, as its manifest shows: a checkup asks for the same.
struct GeneratingHabit {
  /// The kind of `--only`.
  var only: String?
  /// Whether it was `--flat`.
  var isFlat = false

  init(_ manifest: Manifest?, _ schema: Schema?) {
    guard let manifest, let schema, !manifest.kinds.isEmpty else { return }
    let all = OutputFile.all(of: schema, only: nil, flat: false)
    let kinds = Set(manifest.kinds.values)
    if kinds.count == 1, Set(all.map(\.kind)).count > 1 { only = kinds.first }
    let hadFolders = manifest.kinds.keys.contains { $0.contains("/") }
    isFlat = !hadFolders && all.contains { kinds.contains($0.kind) && $0.path.contains("/") }
  }

  var options: String { (only.map { " --only \($0)" } ?? "") + (isFlat ? " --flat" : "") }
}
