// swift-tools-version: 6.2
import PackageDescription

// Three schema files, the build plugin, a program that uses the code that it generates, and its tests.
let package = Package(
  name: "QuickStart",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "modelgen", path: "../..")],
  targets: [
    .executableTarget(
      name: "QuickStart",
      dependencies: [.product(name: "ModelRuntime", package: "modelgen")],
      exclude: ["Schemas"],
      plugins: [.plugin(name: "ModelgenBuild", package: "modelgen")]),
    .testTarget(
      name: "QuickStartTests",
      dependencies: ["QuickStart", .product(name: "ModelTesting", package: "modelgen")]),
  ],
  swiftLanguageModes: [.v6]
)
