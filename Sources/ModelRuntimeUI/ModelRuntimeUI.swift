// The module that a SwiftUI app imports: it shows all of ModelRuntime. The property wrappers are in a file each; what they
// do that is not SwiftUI is in `Edits/` and `Opened.swift`, and is tested on Linux.

@_exported public import ModelRuntime
