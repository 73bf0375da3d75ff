// Tests of the address of the page, which a restart keeps.
import FlyingFox
import FlyingSocks
import Foundation
import ModelRuntime
import SamplePictures
import Testing

@testable import Moments
@testable import MomentsPage

@Suite struct PageAddressTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appending(path: "page.json")
  }

  @Test func theAddressIsTheSameAfterARestart() throws {
    let first = try PageAddress.address(port: 0, keptIn: file)
    let second = try PageAddress.address(port: 0, keptIn: file)
    #expect(first.port > 0 && first.port == second.port && first.token.text == second.token.text)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600, "nobody else may read the token")
  }

  @Test func aNamedPortKeepsTheToken() throws {
    let first = try PageAddress.address(port: 0, keptIn: file)
    let second = try PageAddress.address(port: 65_000, keptIn: file)
    #expect(second.port == 65_000 && first.token.text == second.token.text)
  }

  @Test func aPortThatIsInUseIsLeftAlone() throws {
    let first = try PageAddress.address(port: 0, keptIn: file)
    let other = try Socket(domain: Int32(AF_INET))
    defer { try? other.close() }
    try other.bind(to: .inet(ip4: "127.0.0.1", port: first.port))
    try other.listen()
    let second = try PageAddress.address(port: 0, keptIn: file)
    #expect(second.port != first.port && second.port > 0)
  }

  @Test(arguments: ["", "{}", #"{"port": 80, "token": "short"}"#, #"{"port": 80, "token": "zz"}"#])
  func aDamagedFileGivesANewAddress(text: String) throws {
    try Data(text.utf8).write(to: file)
    let address = try PageAddress.address(port: 0, keptIn: file)
    #expect(address.token.text.utf8.count == 32 && address.port != 80)
  }
}
