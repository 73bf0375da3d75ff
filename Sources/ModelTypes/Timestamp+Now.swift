// The present, through the environment.

import Determinism
public import WireFormat

extension Timestamp {
  /// The environment's clock, in milliseconds; may go back where the system's clock is set.
  public static var now: Self {
    Self(millisecondsSince1970: RuntimeEnvironment.current.nowMilliseconds())
  }
}
