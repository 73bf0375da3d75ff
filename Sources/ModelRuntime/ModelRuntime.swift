// The module that apps import. This list is the public surface: what an app needs, and nothing else. Generated code
// imports ModelSupport, which shows the whole runtime.
// swift-format-ignore-file: OrderedImports

// Models and their values.
@_exported public import struct WireFormat.ContentHash
@_exported public import struct WireFormat.ObjectID
@_exported public import typealias WireFormat.QueueID
@_exported public import struct WireFormat.SortedSet
@_exported public import struct WireFormat.Timestamp
@_exported public import struct WireFormat.UUIDValue
@_exported public import struct WireFormat.UnknownFields
@_exported public import typealias WireFormat.UserID
@_exported public import struct WireFormat.WireError
@_exported public import protocol ModelTypes.EncodableView
@_exported public import protocol ModelTypes.EphemeralModel
@_exported public import struct ModelTypes.FileReference
@_exported public import protocol ModelTypes.Model
@_exported public import protocol ModelTypes.ModelView
@_exported public import protocol ModelTypes.QueueModel
@_exported public import protocol ModelTypes.SchemaDescription
@_exported public import struct ModelTypes.ValueCount

// The store.
@_exported public import struct ClientStore.FailedOperation
@_exported public import class ClientStore.LiveValue
@_exported public import class ClientStore.ModelStore
@_exported public import enum ClientStore.ObjectAction
@_exported public import struct ClientStore.OperationHandle
@_exported public import enum ClientStore.OperationState
@_exported public import struct ClientStore.PendingOperation
@_exported public import enum ClientStore.Recovery
@_exported public import struct ClientStore.Salvage
@_exported public import struct ClientStore.StoreError
@_exported public import struct ClientStore.StoreUpdates
@_exported public import struct ModelTypes.ObjectOrder
@_exported public import struct SyncProtocol.SystemFields
@_exported public import typealias WireFormat.OperationID

// Operations that are written by hand.
@_exported public import protocol ModelTypes.ModelOperation
@_exported public import struct ModelTypes.OperationContext
@_exported public import struct WireFormat.Field
@_exported public import struct WireFormat.FieldTable

// Lists and views.
@_exported public import struct ClientStore.ListAnchor
@_exported public import class ClientStore.ListHandle
@_exported public import struct ClientStore.ListSnapshot
@_exported public import struct ClientStore.ListUpdate
@_exported public import struct ClientStore.ListUpdates
@_exported public import struct ClientStore.ListedIDs
@_exported public import struct ClientStore.ListedSection
@_exported public import struct ClientStore.ListedSections
@_exported public import class ClientStore.ViewList
@_exported public import struct ModelTypes.CalendarDay
@_exported public import struct ModelTypes.CalendarMonth
@_exported public import struct ModelTypes.CalendarWeek
@_exported public import enum ModelTypes.CalendarWeekday
@_exported public import struct ModelTypes.CalendarYear
@_exported public import struct ModelTypes.GapSection
@_exported public import struct ModelTypes.InitialSection
@_exported public import struct ModelTypes.ListCalendar
@_exported public import struct ModelTypes.ListDefinition
@_exported public import protocol ModelTypes.ListSection
@_exported public import struct ModelTypes.Unsectioned
@_exported public import struct Snapshots.SnapshotChanges
@_exported public import struct Snapshots.SnapshotPath

// Files.
@_exported public import struct ClientStore.FileError
@_exported public import struct ClientStore.FileOptions
@_exported public import struct ClientStore.FileProgress
@_exported public import enum ClientStore.FileSource
@_exported public import enum ClientStore.FileStatus
@_exported public import typealias ClientStore.FileVariant
@_exported public import class ClientStore.LocalFile
@_exported public import struct ClientStore.StoreFiles

// Members and invitations.
@_exported public import enum ClientStore.InvitationPolicy
@_exported public import struct ClientStore.InvitationLink
@_exported public import struct ClientStore.QueueInvitation
@_exported public import struct ClientStore.QueueLink
@_exported public import struct ClientStore.QueueMember
@_exported public import enum SyncProtocol.QueueRole

// Sync.
@_exported public import struct ClientSync.FileLimits
@_exported public import class ClientSync.HTTPTransport
@_exported public import class ClientSync.SyncClient
@_exported public import struct ClientSync.SyncError
@_exported public import struct ClientSync.SyncStatus

// Sync by a transport of the app.
@_exported public import struct ClientStore.FileSlice
@_exported public import struct ClientSync.FileAnswer
@_exported public import struct ClientSync.FileRequest
@_exported public import protocol ClientSync.FileTransport
@_exported public import protocol ClientSync.SyncTransport
@_exported public import struct ClientSync.TransportAnswer
@_exported public import struct SyncProtocol.FileKey
@_exported public import typealias WireFormat.HistoryID
@_exported public import typealias WireFormat.ServerID

// Reading without a store.
@_exported public import struct ModelTypes.DeltaChange
@_exported public import struct ModelTypes.DeltaCursor
@_exported public import struct ModelTypes.DeltaQuery
@_exported public import struct SyncProtocol.MessageError
@_exported public import struct SyncProtocol.RequestError
