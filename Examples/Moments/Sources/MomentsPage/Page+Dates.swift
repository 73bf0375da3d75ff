// Corrects the date of a photo.
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
}
