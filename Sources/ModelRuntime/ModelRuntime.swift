// The module that apps and generated code import: the whole runtime under one name.

@_exported public import ClientStore
@_exported public import ClientSync
@_exported public import Determinism
@_exported public import ModelTypes
@_exported public import Snapshots
@_exported public import SyncProtocol
@_exported public import WireFormat
