// What the text of a Package.swift tells about the build plugin.
import Testing

@testable import modelgen

@Suite struct PackageTextTests {
  private static let package = """
    // .plugin(name: "ModelgenBuild")
    let package = Package(
      name: "App",
      targets: [
        .executableTarget(
          name: "App",  // name: "Other", plugins: ["ModelgenBuild"]
          dependencies: [.product(name: "ModelRuntime", package: "modelgen"), "Kit"],
          exclude: ["Schemas"],
          swiftSettings: [.define("A)")],
          plugins: [.plugin(name: "ModelgenBuild", package: "modelgen")]),
        .target(name: "Kit", path: "Elsewhere/Kit/"),
        .testTarget(name: "AppTests", dependencies: ["App"] /* plugins: ["ModelgenBuild"] */),
      ])
    """

  @Test func findsTargetByItsFolder() throws {
    let text = PackageText(Self.package)
    #expect(text.targets.map(\.name).sorted() == ["App", "AppTests", "Kit"])
    let app = try #require(text.target(in: "Sources/App"))
    #expect(app.name == "App" && app.usesPlugin && app.mentions("Schemas"))
    #expect(text.target(in: "Elsewhere/Kit")?.name == "Kit")
    #expect(text.target(in: "Elsewhere/Kit")?.usesPlugin == false)
    #expect(text.target(in: "Tests/AppTests")?.usesPlugin == false)
    #expect(text.target(in: "Sources/Kit") == nil && text.target(in: "Sources") == nil && text.target(in: "") == nil)
  }

  @Test(arguments: [
    ("plugins: [\"ModelgenBuild\"]", true), ("// \"ModelgenBuild\"", false), ("/* \"ModelgenBuild\" */", false),
    ("\"//\", \"ModelgenBuild\"", true), ("\"a\\\"//\", \"ModelgenBuild\"", true), ("", false), ("/*", false),
    ("\"", false), (".target(", false), ("name: ModelgenBuild", false),
  ])
  func knowsWhetherThePluginIsNamed(text: String, isNamed: Bool) {
    #expect(PackageText(text).namesPlugin == isNamed)
  }
}
