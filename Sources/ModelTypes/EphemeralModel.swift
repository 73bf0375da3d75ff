// The protocol of generated ephemeral models: what members show to a queue for seconds.

public import WireFormat

/// A value that a member shows to a queue for seconds, such as that somebody types. Nothing of it is stored.
public protocol EphemeralModel: WireStruct {
  /// The name in the schema, by which other devices know the value.
  static var modelName: String { get }

  /// How long others see it after it was shown last, in milliseconds: 1,000 to 60,000.
  static var lifetimeMilliseconds: Int64 { get }

  /// The queue to whose members it is shown.
  var queueID: QueueID { get }
}
