// Runs programs without root's privilege, for tests of locked files: permissions stop everyone but root.
public import Foundation

extension Program {
  private static let setpriv = Program(url: URL(filePath: "/usr/bin/setpriv"))

  /// Whether locked files can be tested here. As root that needs the tool that takes the privilege away.
  public static var keepsLocks: Bool {
    geteuid() != 0 || FileManager.default.isExecutableFile(atPath: setpriv.url.path)
  }

  /// Runs it so that permissions stop it, even for root.
  public func runWithoutPrivileges(_ arguments: [String], in folder: URL) throws -> Outcome {
    guard geteuid() == 0 else { return try run(arguments, in: folder) }
    let dropped = ["--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-dac_override,-dac_read_search"]
    return try Self.setpriv.run(dropped + [url.path] + arguments, in: folder)
  }
}
