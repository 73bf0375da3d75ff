// The version that modelserver and modelinspect print. The generator and the store have their own copy, because
// neither may import this module; a test compares all with the file VERSION.

package enum Product {
  /// `Scripts/release` writes it.
  package static let version = "0.1.0"
}
