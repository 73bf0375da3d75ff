// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses modelgen resolves what it is measured against.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "modelgen", path: ".."),
    .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
  ],
  targets: [
    .target(name: "CAllocations"),
    .target(name: "Peer", dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CAllocations", "Peer", .product(name: "ModelRuntime", package: "modelgen"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
