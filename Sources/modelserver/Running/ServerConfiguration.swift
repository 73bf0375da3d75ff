// The options that `serve` was given.

struct ServerConfiguration: Sendable {
  var database: String
  /// Whether to create a database that is not there.
  var creates: Bool
  var secretFile: String
  var host: String
  var port: Int
  var issuer: String?
  var metricsPort: Int?
  var access: AccessFiles
  var limits: LimitOptions
}
