// A row of the table `file`, decoded: a file that this device has added or fetched.
import ModelSupport

struct FileReading: Equatable {
  var hash: ContentHash?
  var queue: QueueName
  var state: State?
  /// In bytes. Nil for a fetched file, and where the bytes were not on this device when an operation named the file.
  var size: Int64?
  /// The number of the operation that named the file first; 0 where none is known.
  var number: Int64?
  /// The objects that name the file.
  var objects: [UUIDValue]
  /// The failed attempts to upload it; nil where none has failed.
  var failure: QueueFailure?
  var problems: [String]

  enum State: Int64 {
    case fetched = 0
    case toBring = 1
    case brought = 2
    case kept = 3
    case device = 4

    var word: String {
      switch self {
      case .toBring: "to bring"
      case .brought: "brought"
      case .kept: "kept"
      case .device: "on this device only"
      case .fetched: "fetched"
      }
    }

    var reason: String {
      switch self {
      case .toBring: "uploaded once the operation that names it is applied, or at once if an operation waits for it"
      case .brought: "the server has had it; its bytes stay for 7 days"
      case .kept: "not to be uploaded now: its queue left this device, or nothing needs it"
      case .device: "its object never leaves the device"
      case .fetched: "it came from the server, and may be deleted to make room"
      }
    }

    fileprivate var rank: Int { [.toBring, .kept, .device, .brought, .fetched].firstIndex(of: self) ?? 0 }
  }

  /// The position among other files.
  fileprivate var place: (rank: Int, number: Int64, hash: String) {
    (state?.rank ?? -1, number ?? 0, hash?.description ?? "")
  }

  init(_ row: StoredRow, _ tables: StoreTables) {
    var reading = RowReading(row)
    let bytes = reading.bytes("hash")
    hash = ContentHash(bytes: bytes)
    if hash == nil, reading.problems.isEmpty {
      reading.addProblem("`hash` has \(counted(bytes.count, "byte")) instead of 32.")
    }
    queue = reading.queue(tables)
    if let number = reading.integer("state") {
      state = State(rawValue: number)
      if state == nil { reading.addProblem("`state` is \(number), which has no meaning.") }
    }
    size = reading.optional("size") { $0.integer("size") }
    number = reading.integer("number")
    objects = reading.ids("objects")
    if let attempts = reading.integer("attempts"), attempts > 0 {
      failure = QueueFailure(
        attempts: Int(clamping: attempts), retryAt: reading.optional("retryAt") { $0.time("retryAt") } ?? .zero,
        message: reading.optional("lastError") { $0.text("lastError") } ?? "")
    }
    problems = reading.problems
  }
}

extension StoreContents {
  /// All files: those to upload first, and within each state in the order in which operations named them.
  func files() -> Part<FileReading> {
    var part = read(.file) { FileReading($0, tables) }
    part.readings.sort { $0.place < $1.place }
    return part
  }
}
