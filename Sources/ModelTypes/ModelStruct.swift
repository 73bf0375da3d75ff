// The protocol of generated structs: groups of fields inside a model.

public import WireFormat

/// A struct of the schema, as a value. A merge replaces it as a whole.
///
/// Everything it can do comes with `WireStruct`: a field table, `unknownFields` and `zero`.
public protocol ModelStruct: WireStruct {}
