// The generation of generated code that this runtime fits, as a symbol: code of another one does not compile.

/// What the registry of generated code refers to.
///
/// Raise the number, here and in `RuntimeGeneration` of ModelEmitters, when generated code needs something new of the
/// runtime, or when older generated code would no longer compile or would do something else. Keep the old symbol, for
/// its words:
///
///     @available(*, unavailable, message: "An older modelgen generated this code. Run `modelgen generate` again.")
///     public enum _RuntimeForGeneratedCode1 {}
public enum _RuntimeForGeneratedCode1 {}
