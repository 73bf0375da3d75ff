// A photo as an app sees it in which a conversion has taken the place of its caption, written as the generator writes it.

import ModelTypes
import TestSupport
import WireFormat

/// A photo with a heading, which says more than the caption of older apps: `NAME/more of NAME`.
///
///     caption: { type: string? = 3, deprecated: true }
///     heading: { type: string? = 8, from: caption, via: headingOfCaption }
struct NewerPhoto: Model {
  let id: ObjectID<NewerPhoto>
  var album = QueueID.zero
  // Generated code calls these `__caption` and `__heading`.
  var storedCaption: String?
  var storedHeading: String?
  var file: FileReference?
  var unknownFields = UnknownFields.none

  static let modelName = Photo.modelName
  var queueID: QueueID? { album }
  static let newestByTag: Int? = nil
  var newestBy: Int64? { Int64(bitPattern: id.rawValue.low) >> 8 }
  static let fileTags = Photo.fileTags
  static let objectAccess = Photo.objectAccess

  init(zeroWithID id: ObjectID<NewerPhoto>) { self.id = id }

  var heading: String? {
    get {
      if let stored = storedHeading, Self.headingOfCaption(heading: stored) == storedCaption { return stored }
      return Self.headingOfCaption(caption: storedCaption)
    }
    set {
      storedCaption = Self.headingOfCaption(heading: newValue)
      storedHeading = newValue
    }
  }

  static func headingOfCaption(caption: String?) -> String? { caption }
  static func headingOfCaption(heading: String?) -> String? { heading.map { String($0.prefix { $0 != "/" }) } }

  static let headingTag = 8
  static let fieldTable = FieldTable(
    "photo", unknownFields: \Self.unknownFields, wholes: [[Photo.captionTag, headingTag]],
    Field(1, "album", \Self.album), Field(Photo.captionTag, "caption", \Self.storedCaption),
    Field(Photo.fileTag, "file", \Self.file),
    Field(headingTag, "heading", \Self.storedHeading, shown: \Self.heading))
}

/// The schema of devices whose app is newer than that of others.
enum NewerAlbumSchema: SchemaDescription {
  static let name = AlbumSchema.name
  static let version = "1.1+"
  static let models: [any Model.Type] = [
    AlbumRoot.self, Forbidden.self, Message.self, NewerPhoto.self, Pair.self,
  ]
}

extension Device {
  /// Whether its app has the conversion.
  var isNewer: Bool { schema.models.contains { $0 == NewerPhoto.self } }
}

extension PatchBuilder {
  /// Sets the caption of a photo, or takes it away, as the device's app does.
  mutating func setCaption(_ caption: String?, on device: Device) {
    guard device.isNewer else { return set(Photo.captionTag, caption) }
    var photo = NewerPhoto(zeroWithID: .zero)
    photo.heading = caption.map { device.world.random.chance(70) ? "\($0)/more of \($0)" : $0 }
    set(Photo.captionTag, photo.storedCaption)
    set(NewerPhoto.headingTag, photo.storedHeading)
  }
}

extension Oracles {
  /// Reports a heading that belongs to another caption than the one that older apps show.
  func headingsFollowCaptions(_ device: Device, _ look: Look) throws {
    for album in world.albums {
      for id in album.photos where look.changed.contains(id) {
        guard let photo = try look.photo(id) else { continue }
        let newer = try NewerPhoto(id: ObjectID(id), blob: photo.encoded())
        switch newer.heading {
        case photo.caption:
          // Not what is stored beside it: an older app has written the caption since.
          if newer.storedHeading != nil, newer.storedHeading != newer.heading { world.count("captions over a heading") }
        case photo.caption.map({ "\($0)/more of \($0)" }): world.count("headings beyond a caption")
        default:
          report("\(id.short) has the heading \(newer.heading ?? "nil") and the caption \(photo.caption ?? "nil")")
        }
      }
    }
  }
}
