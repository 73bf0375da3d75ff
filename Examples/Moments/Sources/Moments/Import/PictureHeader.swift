// The facts of a picture or video that its photo keeps.
import Foundation

struct PictureHeader {
  var takenAt: LocalTime
  /// Whether the date is only that of the file's last change.
  var dateIsGuess = false
  var place: Photo.Place?
  /// As the picture is seen, upright.
  var width: Int
  var height: Int

  /// A moment, such as the time of a file, becomes the time that clocks in `timeZone` showed. Throws if the file cannot
  /// be read, or is damaged.
  init(_ picture: SourcePicture, timeZone: TimeZone = .current) throws {
    let file = try ByteReader(picture)
    let name = URL(filePath: picture.name).lastPathComponent
    let ofFile = LocalTime(picture.modifiedAt, in: timeZone)
    if picture.isVideo {
      let video = try VideoHeader(file, timeZone: timeZone)
      (width, height) = (video.width, video.height)
      let known = video.takenAt ?? LocalTime(fileName: name)
      (takenAt, dateIsGuess) = (known ?? ofFile, known == nil)
    } else {
      let image = try ImageHeader(file, timeZone: timeZone)
      let exif = image.exif
      (width, height) = (image.width, image.height)
      if let latitude = exif.latitude, let longitude = exif.longitude {
        place = Photo.Place(latitude: latitude, longitude: longitude)
      }
      let known = exif.takenAt ?? LocalTime(fileName: name)
      (takenAt, dateIsGuess) = (known ?? exif.modifiedAt ?? ofFile, known == nil)
    }
  }
}
