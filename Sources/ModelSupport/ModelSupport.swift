// The module that generated code imports: the whole runtime under one name. Apps import ModelRuntime, which shows what
// an app needs.

@_exported public import ClientStore
@_exported public import ClientSync
@_exported public import Determinism
@_exported public import ModelTypes
@_exported public import Snapshots
@_exported public import SyncProtocol
@_exported public import WireFormat
