// A row of the table `file`, decoded: a file that this device has added or fetched.
import ModelSupport

struct FileReading {
  var report: ReportValue
  /// The position among other files: those to upload first, and within each state the order in which operations named
  /// them.
  var place: (rank: Int, number: Int64, hash: String)

  init(_ row: StoredRow, _ tables: StoreTables) {
    var reading = RowReading(row)
    let bytes = reading.bytes("hash")
    let hash = ContentHash(bytes: bytes)
    if hash == nil, reading.problems.isEmpty {
      reading.addProblem("`hash` has \(counted(bytes.count, "byte")) instead of 32.")
    }
    let queue = reading.queue(tables)
    let state: State? = reading.word("state")
    let size = reading.optional("size") { $0.integer("size") }
    // The operation that named the file first; 0 where none is known.
    let number = reading.integer("number")
    let isAbsent = size == nil && state != .fetched
    place = (state?.rank ?? -1, number ?? 0, hash?.description ?? "")
    let objects = ReportValue.lines(of: reading.ids("objects"))
    report = .record(
      title: "file \(known(hash))",
      [
        "hash": .hidden(ReportValue(hash)), "queue": queue.report, "state": state?.report ?? .null,
        "size": isAbsent ? .worded("not on this device when it was named", .null) : ReportValue(number: size),
        "operation": number == 0 ? .hidden(.number("0")) : ReportValue(number: number), "objects": objects,
        "failure": reading.failure()?.report(of: "for it") ?? .null, "problems": .lines(of: reading.problems),
      ])
  }

  private enum State: Int64 {
    /// The raw values are the states in a row (docs/formats/store-layout.md).
    case fetched = 0
    case toBring, brought, kept, device

    var report: ReportValue {
      let words =
        switch self {
        case .toBring:
          "to bring: uploaded once the operation that names it is applied, or at once if an operation waits for it"
        case .brought: "brought: the server has had it; its bytes stay for 7 days"
        case .kept: "kept: not to be uploaded now: its queue left this device, or nothing needs it"
        case .device: "on this device only: its object never leaves the device"
        case .fetched: "fetched: it came from the server, and may be deleted to make room"
        }
      return .worded(words, .string("\(self)"))
    }

    var rank: Int { [.toBring, .kept, .device, .brought, .fetched].firstIndex(of: self) ?? 0 }
  }
}
