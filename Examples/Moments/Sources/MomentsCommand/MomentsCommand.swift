// The command `moments`: imports pictures, shows them in a browser, and demonstrates two devices.
import ArgumentParser
import Foundation
import ModelRuntime
import Moments

@main
struct MomentsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "moments", abstract: "Photos by day, and moments that are shared; offline or on.",
    subcommands: [ImportCommand.self, ServeCommand.self, SamplesCommand.self, DemoCommand.self])
}

/// Options of a device: its user, the folder of its store, and the server that it syncs with.
struct DeviceOptions: ParsableArguments {
  @Option(help: "The folder of the store; made where there is none.")
  var store = "moments-store"

  @Option(help: "Your name: what the server knows you by, and what friends see.")
  var user = NSUserName()

  @Option(help: "The address of a modelserver, like http://127.0.0.1:8080; without one nothing is synced.")
  var server: String?

  @Option(help: "The file with your token for the server; read anew whenever the server wants another.")
  var tokenFile: String?

  func validate() throws {
    guard !store.isEmpty else { throw ValidationError("--store is empty; name a folder.") }
    guard !user.isEmpty else { throw ValidationError("--user is empty; say your name.") }
    guard (server == nil) == (tokenFile == nil) else {
      throw ValidationError("--server and --token-file need each other; give both or neither.")
    }
    if let server, url == nil {
      throw ValidationError("\(server) is no address of a server; it has to be like http://127.0.0.1:8080")
    }
  }

  func open() throws -> Device {
    let server = url.flatMap { url in tokenFile.map { Server(url: url, tokenFile: URL(filePath: $0)) } }
    do { return try Device(folder: URL(filePath: store), name: user, server: server) } catch let error as StoreError
      where error.code == .foreign
    {
      throw CommandError("\(error) You are '\(user)' here: --user says who you are, and --store names another folder.")
    }
  }

  private var url: URL? {
    guard let server, let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host() != nil else {
      return nil
    }
    return url
  }
}

/// An error that ends a command, as a sentence.
struct CommandError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
