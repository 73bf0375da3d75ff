// The time limit of tests that would hang where the code is wrong.

import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs. Long enough for a busy machine, so that no test fails because it is slow.
  static var hangGuard: Self { .timeLimit(.minutes(60)) }
}
