// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of modelgen do not resolve the libraries that it is measured against.
let strict: [SwiftSetting] = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
  .map { .enableUpcomingFeature($0) }

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "modelgen", path: ".."),
    .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.3.0"),
  ],
  targets: [
    .target(name: "CAllocations"),
    // Symbolic links to sources of modelgen that have no product. Their names differ, because target names are unique
    // in a package graph.
    .systemLibrary(
      name: "CMeasuredYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .target(name: "MeasuredSchema", dependencies: ["CMeasuredYAML"], swiftSettings: strict),
    .target(name: "MeasuredSnapshots", swiftSettings: strict),
    .target(name: "Peer", dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CAllocations", "CMeasuredYAML", "MeasuredSchema", "MeasuredSnapshots", "Peer",
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "ModelRuntime", package: "modelgen"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      // These belong to StoreBench in the package modelgen, because no public call gives a page to the store.
      exclude: ["Latency", "Store"]),
  ],
  swiftLanguageModes: [.v6]
)
