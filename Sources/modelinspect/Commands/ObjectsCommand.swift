// `modelinspect objects FOLDER`: shows confirmed objects, decoded.
import ArgumentParser
import ModelSupport

struct ObjectsCommand: InspectCommand {
  static let configuration = CommandConfiguration(
    commandName: "objects",
    abstract: "Shows the objects that deltas brought, and those that never leave the device.",
    discussion: """
      Fields have the names that the store keeps; one that it does not know is shown by its tag, as bytes. \
      Later changes of the user are in the outbox.

      EXAMPLES:
        modelinspect objects Store --model photo --limit 10
        modelinspect objects Store --id 0198c9a2-0000-7000-8000-000000000001 --json
      """
  )

  @OptionGroup var store: StoreOptions

  @Option(help: "Only objects of this model.")
  var model: String?

  @Option(help: "Only the object with this id; may be given more than once.")
  var id: [String] = []

  @Option(help: "Show no more objects than this.")
  var limit = 100

  func validate() throws {
    if limit < 1 { throw ValidationError("The limit is 1 or more.") }
    if let wrong = id.first(where: { UUIDValue($0) == nil }) { throw ValidationError("'\(wrong)' is not an id.") }
  }

  func report(_ contents: StoreContents) throws -> Report {
    if let model, !contents.tables.models.contains(model) {
      let models = contents.tables.models.joined(separator: ", ")
      throw ValidationError(shown("The store has no model '\(model)'. It has: \(models)."))
    }
    return contents.objects(model: model, ids: id.compactMap { UUIDValue($0) }, limit: limit)
  }
}
