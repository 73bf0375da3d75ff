// The page's own files: HTML, CSS and JavaScript as they are in `Page/`.
import FlyingFox
import Foundation

struct StaticFiles {
  private static let types = [
    "html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml",
  ]

  func addRoutes(to routes: inout RoutedHTTPHandler) throws {
    let folder = Bundle.module.bundleURL.appending(path: "Page")
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      guard let type = Self.types[file.pathExtension] else { continue }
      let body = try Data(contentsOf: file)
      let path = file.lastPathComponent == "index.html" ? "/" : "/\(file.lastPathComponent)"
      routes.appendRoute(HTTPRoute("GET \(path)")) { _ in
        HTTPResponse(
          statusCode: .ok, headers: [.contentType: "\(type); charset=utf-8", .cacheControl: "no-cache"], body: body)
      }
    }
  }
}
