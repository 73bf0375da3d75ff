// Files over HTTP: each part, of at most 4 MiB, is a request.

import ClientStore
import Foundation
import SyncProtocol
import WireFormat

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPTransport: FileTransport {
  /// Sends a request with the token. Of an answer that breaks off it returns what has come.
  ///
  /// Throws if no answer comes, a `SyncError` if there is no token, and a `FileError` if the part cannot be read.
  public func send(_ request: FileRequest) async throws -> FileAnswer {
    let path = "files/\(request.file.queue)/\(request.file.hash)"
    var http = try await self.request(path, timeoutMilliseconds: request.timeoutMilliseconds)
    switch request.call {
    case .state:
      http.httpMethod = "HEAD"
    case .part(let slice, let offset, let isLast):
      http.httpMethod = "PATCH"
      http.httpBody = Data(try slice?.bytes() ?? [])
      http.setValue("application/partial-upload", forHTTPHeaderField: "Content-Type")
      http.setValue("\(offset)", forHTTPHeaderField: "Upload-Offset")
      http.setValue(isLast ? "?1" : "?0", forHTTPHeaderField: "Upload-Complete")
    case .range(let range):
      http.httpMethod = "GET"
      http.setValue("bytes=\(range.lowerBound)-\(range.upperBound - 1)", forHTTPHeaderField: "Range")
      // A proxy that compresses the file would send other bytes.
      http.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    case .copy(let source):
      http.httpMethod = "POST"
      http.setValue("\(source)", forHTTPHeaderField: "Copy-From")
    }
    let answer = try await exchange(http, silence: request.timeoutMilliseconds)
    let response = answer.response
    return FileAnswer(
      TransportAnswer(answer),
      offset: response.value(forHTTPHeaderField: "Upload-Offset").flatMap { Int64($0) },
      isComplete: response.value(forHTTPHeaderField: "Upload-Complete") == "?1", total: response.totalOfRange)
  }
}

extension HTTPURLResponse {
  /// The size of the whole file: 1234 in `Content-Range: bytes 0-99/1234`.
  fileprivate var totalOfRange: Int64? {
    value(forHTTPHeaderField: "Content-Range")?.split(separator: "/").last.flatMap { Int64($0) }
  }
}
