// Which modelgen runs: its version, and the file that it is.
import ModelEmitters

enum ToolCheck {
  static func lines(_ project: ExaminedProject) -> [CheckupLine] {
    let own = Executable.current
    let tool = CheckupLine.ok("tool", "modelgen \(Emitter.version)" + (own.map { ", \($0)" } ?? ""))
    guard let own, let named = Executable.named("modelgen"), named.target != own else { return [tool] }
    return [
      tool,
      .note(
        "tool", "a shell finds another file as `modelgen`: \(named.path)",
        "Compare `modelgen --version` where the two disagree"),
    ]
  }
}
