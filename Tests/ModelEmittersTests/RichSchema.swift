// A schema with every type in every position, for operations. Its names are single letters that can be lengthened.
import ModelSchema

enum RichSchema {
  /// Names are written `<a>`. The lines that a test adds replace `#` and the letter of the model.
  private static let texts = [
    "modelgen": "schema: Rich\naccess: ACCESS\n",
    "<b>": """
    model: <b>
    queue: self
    fields: { <a>: string = 1, <b>: ref(<s>)? = 2, <c>: ref(user) = 3, <d>: file = 4, <e>: counter = 5 }
    operations:
    #b
    """,
    "<c>": """
    model: <c>
    queue: <a>
    newestBy: <l>
    fields:
      <a>: ref(<b>) = 1
      <b>: string = 2
      <c>: string? = 3
      <d>: counter = 536870911
      <e>: set(string) = 4
      <f>: <f> = 5
      <g>: file? = 6
      <h>: float = 7
      <i>: { type: int32, tag: 8, default: -1000000 }
      <j>: ref(<c>)? = 9
      <k>: set(ref(<s>)) = 10
      <l>: timestamp? = 11
      <m>: list(<g>) = 12
      <n>: <g>? = 13
      <o>: list(string) = 14
      <p>: bool = 15
      <q>: double = 16
      <r>: uint64 = 17
      <s>: data? = 18
      <t>: uuid? = 19
      <u>: int64 = 20
      <v>: list(ref(<c>)) = 21
      <w>: { type: string, tag: 22, default: LONG }
      <x>: { type: <f>, tag: 23, default: <c> }
      <y>: set(data) = 24
      <z>: { type: string?, tag: 25, deprecated: Use another. }
      MORE
    structs:
      <g>:
        fields: { <a>: string = 1, <b>: string? = 2, <c>: file = 3, <d>: set(<f>) = 4, <e>: ref(<c>)? = 5 }
    enums: { <f>: { cases: { <a>: 1, <b>: 2, <c>: -3 } } }
    operations:
    #c
    """,
    "<s>": """
    model: <s>
    queue: <a>
    identity: [<b>]
    fields: { <a>: ref(<b>) = 1, <b>: ref(user) = 2, <c>: { type: string, tag: 3, default: x }, <d>: file? = 4 }
    operations:
    #s
    """,
    "<p>": """
    model: <p>
    queue: <a>
    identity: [<b>.hash]
    fields: { <a>: ref(<b>) = 1, <b>: file = 2, <c>: { type: bool, tag: 3, default: true }, <d>: data = 4 }
    operations:
    #p
    """,
    "<h>": """
    model: <h>
    queue: <a>
    identity: [<c>.<c>.hash]
    fields: { <a>: ref(user) = 1, <b>: list(int32) = 2, <c>: <g> = 3, <d>: ref(<h>)? = 4 }
    structs: { <g>: { fields: { <c>: file = 1 } } }
    operations:
    #h
    """,
    "<l>": """
    model: <l>
    queue: device
    fields: { <a>: string = 1, <b>: set(uint32) = 2, <c>: float? = 3, <d>: counter = 4 }
    operations:
    #l
    """,
  ]

  /// Lengthens each letter to `length` characters, and adds `operations` to the models of these letters.
  static func files(
    length: Int, access: AccessLevel = .public, moreFields: String = "", operations: [String: [String]]
  ) -> [SourceFile] {
    texts.map { stem, text in
      var text = text
      for (model, lines) in operations {
        text.replace("#\(model)", with: lines.map { "  " + $0 }.joined(separator: "\n"))
      }
      if let hole = text.firstMatch(of: /operations:\s*#[a-z]/) { text.removeSubrange(hole.range) }
      text.replace("MORE", with: moreFields)
      text.replace("ACCESS", with: access.rawValue)
      text.replace("LONG", with: "\"\(String(repeating: "long ", count: length / 2))\"")
      return SourceFile(path: grown(stem, length) + ".yaml", bytes: Array(grown(text, length).utf8))
    }
  }

  private static func grown(_ text: String, _ length: Int) -> String {
    text.replacing(/<([a-z])>/) { NamesOfEveryLength.name(String($0.1), length) }
  }

  /// Every effect, and every way to name a value, once.
  static let everyEffect: [String: [String]] = [
    "b": [
      "<a>: { parameters: { <p>: ref(user) }, follow: $<p>, upsert: { <s>: { <a>: $self, <b>: $<p>, <c>: LONG } } }",
      "<d>: { parameters: { <p>: ref(user)? }, unfollow: $<p> }",
      "<e>: { parameters: { <p>: list(ref(<s>)) }, follow: $<p>.<b> }",
      "<i>: { parameters: { <p>: file, <q>: string? }, upsert: { <s>: { <a>: $self, <b>: $me, <c>: $<q>, <d>: $<p> } } }",
      "<j>: { parameters: { <p>: ref(user) }, upsert: { <s>: { <a>: $self, <b>: $<p> } } }",
    ],
    "c": [
      """
      <a>:
          doc: Closes what is said to be open.
          set: { <b>: LONG, <c>: "", <f>: <b>, <h>: 0.1, <i>: -7000000, <l>: $now, <p>: true, <q>: 1e300, <r>: 18446744073709551615, <u>: 1, <w>: LONG, <x>: <a> }
      """,
      "<d>: { clear: [<c>, <e>, <i>, <m>] }",
      "<e>: { parameters: { <p>: int32 }, increment: { <d>: $<p> } }",
      "<i>: { increment: { <d>: -9223372036854775808 } }",
      "<j>: { parameters: { <p>: string, <q>: list(string) }, insert: { <e>: $<p> }, set: { <o>: $<q> } }",
      "<k>: { parameters: { <p>: set(string) }, insert: { <e>: $<p> }, remove: { <y>: $self.<y> } }",
      "<m>: { insert: { <e>: LONG, <k>: <s>($me) } }",
      "<n>: { insert: { <e>: $self.<j>.<m>.<b>, <y>: $self.<j>.<j>.<m>.<c>.hash } }",
      "<o>: { parameters: { <p>: ref(<c>) }, set: { <b>: $<p>.<b>, <c>: $<p>.<j>.<j>.<n>.<b>, <f>: $<p>.<f>, <g>: $<p>.<j>.<g> } }",
      "<q>: { parameters: { <p>: <g>, <q>: list(<g>), <r>: <g>? }, set: { <c>: $<r>.<b>, <n>: $<p>, <m>: $<q> } }",
      "<r>: { parameters: { <p>: list(ref(<c>)) }, requires: [uploaded($<p>.<g>), uploaded($self.<g>), uploaded($self.<a>.<d>)], delete: true }",
      """
      <t>:
          parameters: { <p>: string?, <q>: <f>?, <r>: ref(<c>), <s>: int32? }
          create: { <c>: { <a>: $self.<a>, <b>: LONG, <c>: $<p>, <f>: <c>, <h>: 1, <i>: $<s>, <j>: $self, <n>: $<r>.<n>, <o>: $<r>.<v>.<b>, <p>: false, <q>: 0, <r>: 7, <s>: $<r>.<g>.hash, <u>: 0, <v>: $self.<v>, <w>: $<p>, <x>: $<q> } }
      """,
      "<u>: { set: { <c>: <s>($me).<c>, <s>: <p>($self.<a>.<d>.hash).<d>, <z>: $self.<z> } }",
      "<v>: { parameters: { <p>: data }, requires: uploaded(<p>($<p>).<b>), clear: <s> }",
      "<w>: { follow: $self.<k>.<b>, unfollow: $self.<a>.<c> }",
      "<x>: { parameters: { <p>: string? }, set: { <w>: $<p>, <x>: $self.<j>.<x>, <o>: $self.<j>.<o> } }",
      "<y>: { remove: { <e>: $self.<n>.<a> } }".replacing("<n>.<a>", with: "<b>"),
    ],
    "h": [
      "<a>: { create: { <h>: { <a>: $self.<a>, <b>: $self.<b>, <c>: $self.<c> } } }",
      "<d>: { parameters: { <p>: file }, set: { <d>: <h>($<p>.hash) } }",
    ],
    "l": ["<a>: { set: { <a>: x, <c>: -0.5 }, insert: { <b>: 4000000000 }, create: { <l>: { <a>: LONG } } }"],
  ]
}
