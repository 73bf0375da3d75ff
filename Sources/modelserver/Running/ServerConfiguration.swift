// What `serve` was asked to do.

struct ServerConfiguration: Sendable {
  var database: String
  var secretFile: String
  var host: String
  var port: Int
  var issuer: String?
  var metricsPort: Int?
  var limits: LimitOptions
}
