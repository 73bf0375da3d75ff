// A group of fields inside a model.

public import WireFormat

/// A struct of the schema, as a value: replaced whole by a merge.
///
/// Everything it can do comes with `WireStruct`: a field table, `unknownFields` and `zero`.
public protocol ModelStruct: WireStruct {}
