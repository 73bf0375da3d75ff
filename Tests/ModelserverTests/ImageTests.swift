// `Scripts/image`: the image is whole, and its program runs where nothing else is.

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite struct ImageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func programRunsInItsImage() throws {
      guard let tar = try Program.find("tar"), let unshare = try Program.find("unshare") else { return }
      let made = try image("--binary", try Program.built("modelserver").url.path, "--output", "image.tar")
      #expect(made.status == 0 && made.output.hasPrefix("image.tar: modelserver "), "\(made.text)")

      _ = try tar.run(["-xf", "image.tar"], in: folder.url)
      let index = try JSONDecoder().decode(Index.self, from: Data(contentsOf: folder.url("index.json")))
      let manifest = try JSONDecoder().decode(Manifest.self, from: blob(try #require(index.manifests.first)))
      #expect(try blob(manifest.config).count == manifest.config.size)
      let layer = try #require(manifest.layers.first)
      try FileManager.default.createDirectory(at: folder.url("root/proc"), withIntermediateDirectories: true)
      let unpacked = try tar.run(["-xzf", path(of: layer), "-C", "root", "--no-same-owner"], in: folder.url)
      #expect(unpacked.status == 0, "\(unpacked.text)")

      // In a namespace of its own, in which an account without rights may do it too.
      let script = "mount --rbind /proc root/proc && exec chroot root /usr/bin/modelserver new-secret /data/secret"
      guard try unshare.run(["-rm", "true"], in: folder.url).status == 0 else { return print("no namespaces: not run") }
      let ran = try unshare.run(["-rm", "/bin/sh", "-c", script], in: folder.url)
      #expect(ran.output == "wrote a new secret to /data/secret\n", "\(ran.text)")
      #expect(try folder.read("root/data/secret").count > 32)
    }

    @Test func aMissingFolderIsSaid() throws {
      let outcome = try image("--binary", "nowhere", "--output", "away/image.tar")
      #expect(outcome.status == 1 && outcome.text.contains("error: there is no folder away"), "\(outcome.text)")
    }

    @Test func aMissingProgramIsSaid() throws {
      let outcome = try image("--binary", "nowhere")
      #expect(outcome.status == 1 && outcome.text.contains("error: there is no program at nowhere"), "\(outcome.text)")
      #expect(!FileManager.default.fileExists(atPath: folder.url("modelserver.tar").path))
    }

    private func image(_ arguments: String...) throws -> Program.Outcome {
      try Program(url: Repository.url("Scripts/image")).run(arguments, in: folder.url)
    }

    private struct Index: Decodable { var manifests: [Blob] }
    private struct Manifest: Decodable { var config: Blob, layers: [Blob] }
    private struct Blob: Decodable { var digest: String, size: Int }

    private func path(of blob: Blob) -> String { "blobs/\(blob.digest.replacing(":", with: "/"))" }
    private func blob(_ blob: Blob) throws -> Data { try Data(contentsOf: folder.url(path(of: blob))) }
  }
#endif
