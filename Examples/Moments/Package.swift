// swift-tools-version: 6.2
import PackageDescription

let runtime = Target.Dependency.product(name: "ModelRuntime", package: "modelgen")

// A photo app. `Moments` is the app without a screen, `MomentsPage` its screen, `moments` the command that starts both.
let package = Package(
  name: "Moments",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "moments", targets: ["MomentsCommand"])],
  dependencies: [
    .package(name: "modelgen", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"]), .brew(["libexif"])]),
    .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"]), .brew(["vips"])]),
    .target(
      name: "Moments", dependencies: [runtime, "CExif", "CVips"], exclude: ["Schemas"],
      plugins: [.plugin(name: "ModelgenBuild", package: "modelgen")]),
    .target(
      name: "MomentsPage",
      dependencies: [
        "Moments", runtime, .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      resources: [.copy("Page")]),
    // Pictures to try and to test the app with.
    .target(name: "SamplePictures", dependencies: ["Moments"]),
    .executableTarget(
      name: "MomentsCommand",
      dependencies: [
        "Moments", "MomentsPage", "SamplePictures", runtime,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "MomentsTests",
      dependencies: [
        "CVips", "Moments", "MomentsCommand", "MomentsPage", "SamplePictures", runtime,
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      resources: [.copy("Pictures")]),
  ],
  swiftLanguageModes: [.v6]
)
