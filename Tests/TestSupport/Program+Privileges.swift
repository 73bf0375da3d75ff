// Permissions stop everyone but root: tests of locked files run the program without root's privilege.
public import Foundation

extension Program {
  private static let setpriv = Program(url: URL(filePath: "/usr/bin/setpriv"))

  /// Whether locked files can be tested here: as root only with the tool that takes the privilege away.
  public static var keepsLocks: Bool {
    geteuid() != 0 || FileManager.default.isExecutableFile(atPath: setpriv.url.path)
  }

  /// Runs it as someone whom permissions stop.
  public func runWithoutPrivileges(_ arguments: [String], in folder: URL) throws -> Outcome {
    guard geteuid() == 0 else { return try run(arguments, in: folder) }
    let dropped = ["--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-dac_override,-dac_read_search"]
    return try Self.setpriv.run(dropped + [url.path] + arguments, in: folder)
  }
}
