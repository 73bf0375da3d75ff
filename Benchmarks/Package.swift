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
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "CAllocations"),
    // Links to the toolchain's sources, because no consumer shall see a product of them; under other names, because
    // target names are unique in a package graph.
    .systemLibrary(
      name: "CMeasuredYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .target(name: "MeasuredSchema", dependencies: ["CMeasuredYAML"], swiftSettings: strict),
    // Generated code is no product either.
    .target(
      name: "MeasuredModels", dependencies: [.product(name: "ModelRuntime", package: "modelgen")],
      swiftSettings: strict),
    // What a store would do that is written for one table, in C.
    .target(name: "CRawStore", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "Peer", dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CAllocations", "CMeasuredYAML", "CRawStore", "MeasuredModels", "MeasuredSchema", "Peer",
        .product(name: "ModelRuntime", package: "modelgen"), .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
