// Makes pictures to try the app with: some days on a journey, with dates and places as a camera writes them.
import Foundation
import Moments

public enum SamplePictures {
  private static let places: [(latitude: Double, longitude: Double)] = [
    (47.5622, 13.6493), (46.5547, 8.5615), (45.9766, 7.6585), (43.7696, 11.2558), (40.6333, 14.6029),
  ]

  /// Writes `count` pictures of `days` days up to yesterday. The same seed and day give the same pictures. Throws if
  /// one of the files exists.
  public static func write(
    _ count: Int, days: Int = 5, width: Int = 960, seed: UInt64, to folder: URL
  ) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        try Task.checkCancellation()
        // Makes at most eight pictures at once.
        if number >= 8 { try await group.next() }
        group.addTask {
          let picture = try picture(number, daysAgo: number * days / count, width, seed)
          let file = folder.appending(path: String(format: "DSC_%04d.jpg", number + 1))
          // Does not overwrite, because a camera's pictures may have such names too.
          try Data(picture).write(to: file, options: .withoutOverwriting)
        }
      }
      try await group.waitForAll()
    }
  }

  private static func picture(_ number: Int, daysAgo: Int, _ width: Int, _ seed: UInt64) throws -> [UInt8] {
    let hour = 6 + Double(number * 7 % 15)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let day = calendar.date(byAdding: .day, value: -daysAgo - 1, to: calendar.startOfDay(for: .now)) ?? .now
    let takenAt = day.addingTimeInterval(hour * 3_600 + Double(number * 97 % 3_600))
    var landscape = Landscape(seed: seed &+ UInt64(number), hour: hour)
    let jpeg = try JPEG.encode(landscape.paint(width: width, height: width * 2 / 3), quality: 88)
    let place = places[daysAgo % places.count]
    return ExifBlock(
      takenAt: text(of: takenAt, calendar), offset: offset(at: takenAt), orientation: 1,
      place: (place.latitude + Double(number) / 1_000, place.longitude)
    ).inserted(into: jpeg)
  }

  private static func text(of date: Date, _ calendar: Calendar) -> String {
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    return String(
      format: "%04d:%02d:%02d %02d:%02d:%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0, parts.hour ?? 0,
      parts.minute ?? 0, parts.second ?? 0)
  }

  private static func offset(at date: Date) -> String {
    let minutes = TimeZone.current.secondsFromGMT(for: date) / 60
    return String(format: "%@%02d:%02d", minutes < 0 ? "-" : "+", abs(minutes) / 60, abs(minutes) % 60)
  }
}
