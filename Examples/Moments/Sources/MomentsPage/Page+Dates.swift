// Corrects dates of photos, and says what kind of file a photo has.
import FlyingFox
import Foundation
import ModelRuntime
import Moments

extension Page {
  /// `POST /photo/ID/date` with `{"text": "2026-05-17T18:03"}`, what `<input type="datetime-local">` gives: the date at
  /// the place where the photo was taken. Seconds, a fraction and an offset like `+02:00` may follow.
  func correctDate(of id: Photo.ID, to text: String) throws {
    guard let date = LocalTime(text: text) else {
      throw PageError(.badRequest, "'\(text.prefix(40))' is no date; write it like 2026-05-17 18:03.")
    }
    try device.correctDate(of: id, to: date)
  }

  /// The type that a browser is told. Others may have added the photo, so only types that run nothing are told.
  func contentType(of photo: Photo, variant: String?) -> String {
    let known = ["image/jpeg", "video/mp4", "video/quicktime"]
    return variant == nil && known.contains(photo.file.mime) ? photo.file.mime : "image/jpeg"
  }
}
