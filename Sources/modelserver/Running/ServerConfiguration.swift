// What `serve` was asked to do.

struct ServerConfiguration: Sendable {
  var database: String
  /// Whether a database that is not there is made.
  var creates: Bool
  var secretFile: String
  var host: String
  var port: Int
  var issuer: String?
  var metricsPort: Int?
  var access: AccessFiles
  var limits: LimitOptions
}
