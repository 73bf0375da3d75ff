// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses modelgen resolves what it is measured against.
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
    // Links to sources of modelgen of which no consumer shall see a product; under other names, because
    // target names are unique in a package graph.
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
      // Parts of StoreBench in the package of modelgen: the store takes pages by calls that no consumer sees.
      exclude: ["Latency", "Store"]),
  ],
  swiftLanguageModes: [.v6]
)
