// Paints invented landscapes: a sky by the hour, a sun, hills behind hills, and water in front.
import Foundation
import Moments

struct Landscape {
  private var random: SeededRandom
  private let hour: Double

  /// The same seed and hour give the same picture.
  init(seed: UInt64, hour: Double) {
    random = SeededRandom(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
    self.hour = hour
  }

  mutating func paint(width: Int, height: Int) -> Pixels {
    let daylight = max(0, sin((hour - 5) / 16 * .pi))
    let warmth = max(0, 1 - abs(daylight - 0.25) * 3)
    let top = Colour(12, 18, 48).mixed(with: Colour(64, 136, 226), daylight)
    let low = Colour(40, 38, 80).mixed(with: Colour(206, 228, 246), daylight).mixed(with: Colour(255, 164, 92), warmth)
    let horizon = Int(Double(height) * random.number(in: 0.52...0.62))
    let sun = (x: random.number(in: 0.15...0.85) * Double(width), y: Double(horizon) * (1.02 - 0.85 * daylight))
    let radius = Double(width) * 0.035
    let hue = Colour(random.number(in: 20...70), random.number(in: 70...120), random.number(in: 50...110))
    let hills = (0..<4).map { hill(distance: 3 - $0, width, horizon) }

    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 3)
    for y in 0..<height {
      // Water shows what is above it, a little darker and moved by ripples.
      let isWater = y > horizon + height / 6
      let shown = isWater ? 2 * (horizon + height / 6) - y : y
      let sky = top.mixed(with: low, min(1, Double(max(0, shown)) / Double(horizon)))
      let ripple = isWater ? Int(sin(Double(y * y) / 900) * Double(y - horizon) / 24) : 0
      for x in 0..<width {
        let column = min(width - 1, max(0, x + ripple))
        var colour = sky
        let (dx, dy) = (Double(column) - sun.x, Double(shown) - sun.y)
        let distance = (dx * dx + dy * dy).squareRoot()
        if distance < radius * 8 {
          let glow = 1 - distance / (radius * 8)
          colour = colour.mixed(with: Colour(255, 244, 214), 0.55 * glow * glow)
        }
        if distance < radius { colour = Colour(255, 246, 220) }
        for (index, hill) in hills.enumerated() where shown > hill[column] {
          let nearness = Double(index + 1) / 4
          colour = low.mixed(with: hue.mixed(with: Colour(8, 14, 20), 1 - daylight), 0.35 + 0.6 * nearness)
        }
        if isWater { colour = colour.mixed(with: Colour(16, 44, 66), 0.32) }
        colour.append(to: &bytes)
      }
    }
    return Pixels(width: width, height: height, bytes: bytes)
  }

  /// The y coordinate of the top of a row of hills, in each column.
  private mutating func hill(distance: Int, _ width: Int, _ horizon: Int) -> [Int] {
    let waves = (1...4).map { wave in
      (
        length: Double(wave * wave) * random.number(in: 0.8...2.2), phase: random.number(in: 0...6.3),
        height: 1 / Double(wave)
      )
    }
    let rise = Double(horizon) * (0.10 + 0.09 * Double(distance))
    return (0..<width).map { x in
      let sum = waves.reduce(0) { $0 + sin(Double(x) / Double(width) * $1.length * 3 + $1.phase) * $1.height }
      return horizon + horizon / 12 * (3 - distance) - Int(rise * (0.8 + sum / 2.1))
    }
  }
}

struct Colour {
  var red, green, blue: Double

  init(_ red: Double, _ green: Double, _ blue: Double) { (self.red, self.green, self.blue) = (red, green, blue) }

  func mixed(with other: Colour, _ share: Double) -> Colour {
    Colour(red + (other.red - red) * share, green + (other.green - green) * share, blue + (other.blue - blue) * share)
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(UInt8(red))
    bytes.append(UInt8(green))
    bytes.append(UInt8(blue))
  }
}

/// Xorshift (Marsaglia 2003), so that a picture is the same everywhere.
struct SeededRandom {
  var state: UInt64

  mutating func number(in range: ClosedRange<Double>) -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return range.lowerBound + (range.upperBound - range.lowerBound) * Double(state >> 11) / Double(1 << 53)
  }
}
