// Data for tests: documents with mistakes and their places, and valid documents.

struct WrongDocument: Sendable {
  var text: String
  /// `line:column message` of each error.
  var errors: [String]

  init(_ text: String, _ errors: String...) {
    self.text = text
    self.errors = errors
  }
}

enum Documents {
  static let unreadable = [
    WrongDocument("", "1:1 The document ends too early."),
    WrongDocument("{", "1:2 The document ends too early."),
    WrongDocument("{}", "1:2 `}` is not allowed here."),
    WrongDocument("{ changed", "1:10 The document ends too early."),
    WrongDocument("{ changed() { time } }", "1:11 `)` is not allowed here."),
    WrongDocument("{ changed(sums: ) { time } }", "1:17 `)` is not allowed here."),
    WrongDocument("{ changed(sums [])}", "1:16 `[` is not allowed here."),
    WrongDocument("query ($a: Int = $b) { __typename }", "1:18 `$` is not allowed here."),
    WrongDocument("query ($a: [Int) { __typename }", "1:16 `)` is not allowed here."),
    WrongDocument("query () { __typename }", "1:8 `)` is not allowed here."),
    WrongDocument("type A { a: Int }", "1:1 `type` is not allowed here."),
    WrongDocument("fragment on on Query { a }", "1:10 `on` is not allowed here."),
    WrongDocument("{ a: b: c }", "1:7 `:` is not allowed here."),
    WrongDocument("{ ... on }", "1:10 `}` is not allowed here."),
    WrongDocument("{ a } }", "1:7 `}` is not allowed here."),
    WrongDocument("{\n  \"a\"\n}", "2:3 A string is not allowed here."),
    WrongDocument("{ a(b: \"\\x\") }", "1:9 There is no such escape."),
    WrongDocument("{ a(b: \"", "1:9 A string does not end."),
  ]

  static let invalid = [
    WrongDocument("{ nothing }", "1:3 `Query` has no field `nothing`."),
    WrongDocument("{ changed }", "1:3 Field `changed` needs a selection of fields."),
    WrongDocument("{ __typename { a } }", "1:3 Field `__typename` has no fields to select."),
    WrongDocument("{ delta { time } }", "1:3 Field `delta` needs `queues`."),
    WrongDocument("{ delta(queues: [], a: 1) { time } }", "1:21 Field `delta` has no `a`."),
    WrongDocument("{ delta(queues: [], queues: []) { time } }", "1:21 Field `delta` has `queues` twice."),
    WrongDocument("{ delta(queues: 5) { time } }", "1:17 This is not a value of the type `DeltaInput`."),
    WrongDocument("{ delta(queues: null) { time } }", "1:17 This is not a value of the type `[DeltaInput!]!`."),
    WrongDocument("{ delta(queues: [null]) { time } }", "1:18 This is not a value of the type `DeltaInput!`."),
    WrongDocument("{ delta(queues: [{}]) { time } }", "1:18 Input `DeltaInput` needs `queue`."),
    WrongDocument("{ delta(queues: [{queue: 5}]) { time } }", "1:26 This is not a value of the type `UUID`."),
    WrongDocument("{ changed(sums: 5) { time } }", "1:17 This is not a value of the type `Base64`."),
    WrongDocument("{ changed(waitSeconds: \"1\") { time } }", "1:24 This is not a value of the type `Int`."),
    WrongDocument("{ changed(waitSeconds: 2147483648) { time } }", "1:24 This is not a value of the type `Int`."),
    WrongDocument(
      "{ delta(queues: [{queue: \"a\", queue: \"a\"}]) { time } }", "1:31 Input `DeltaInput` has `queue` twice."),
    WrongDocument("subscription { a }", "1:1 The schema has no subscription."),
    WrongDocument("{ ...a }", "1:3 There is no fragment `a`."),
    WrongDocument("{ __typename } fragment a on Query { __typename }", "1:16 Fragment `a` is not used."),
    WrongDocument(
      "{ ...a } fragment a on Nothing { b }", "1:10 `Nothing` is not a type with fields.",
      "1:3 A fragment on `Nothing` can never be spread in `Query`."),
    WrongDocument(
      "{ ...a } fragment a on UUID { b }", "1:10 `UUID` is not a type with fields.",
      "1:3 A fragment on `UUID` can never be spread in `Query`."),
    WrongDocument(
      "{ ...a } fragment a on Mutation { __typename }",
      "1:3 A fragment on `Mutation` can never be spread in `Query`."),
    WrongDocument(
      "{ ... on Digest { sum } }", "1:3 A fragment on `Digest` can never be spread in `Query`."),
    WrongDocument("{ ...a } fragment a on Query { ...a }", "1:32 Fragment `a` contains itself."),
    WrongDocument(
      "{ ...a } fragment a on Query { ...b } fragment b on Query { __typename ...a }",
      "1:72 Fragment `a` contains itself."),
    WrongDocument(
      "{ ...a } fragment a on Query { __typename } fragment a on Query { __typename }",
      "1:45 There are two fragments `a`."),
    WrongDocument(
      "query A { __typename } query A { __typename }", "1:24 There are two operations `A`."),
    WrongDocument(
      "{ __typename } query A { __typename }", "1:1 An operation without a name must be the only one."),
    WrongDocument("{ __typename @when(if: true) }", "1:14 There is no directive `@when`."),
    WrongDocument("{ __typename @skip }", "1:14 Directive `@skip` needs `if`."),
    WrongDocument("{ __typename @skip(if: 1) }", "1:24 This is not a value of the type `Boolean`."),
    WrongDocument(
      "{ __typename @skip(if: true) @skip(if: true) }", "1:30 Directive `@skip` is repeated here."),
    WrongDocument("query @skip(if: true) { __typename }", "1:7 `@skip` is not allowed here."),
    WrongDocument(
      "query ($a: Boolean! @include(if: true)) { __typename @skip(if: $a) }", "1:21 `@include` is not allowed here."),
    WrongDocument(
      "{ ...a } fragment a on Query @skip(if: true) { __typename }", "1:30 `@skip` is not allowed here."),
    WrongDocument("query ($a: Boolean!) { __typename }", "1:8 Variable `$a` is not used."),
    WrongDocument("{ __typename @skip(if: $a) }", "1:24 There is no variable `$a`."),
    WrongDocument(
      "query ($a: Boolean!, $a: Boolean!) { __typename @skip(if: $a) }", "1:22 There are two variables `$a`."),
    WrongDocument(
      "query ($a: Boolean) { __typename @skip(if: $a) }", "1:44 `$a` is `Boolean`, but `Boolean!` is needed."),
    WrongDocument(
      "query ($a: Int!) { __typename @skip(if: $a) }", "1:41 `$a` is `Int!`, but `Boolean!` is needed."),
    WrongDocument(
      "query ($a: Digest) { __typename @skip(if: $a) }", "1:8 A variable cannot have the type `Digest`.",
      "1:43 `$a` is `Digest`, but `Boolean!` is needed."),
    WrongDocument(
      "query ($a: Boolean = 5) { __typename @skip(if: $a) }", "1:22 This is not a value of the type `Boolean`."),
    WrongDocument(
      "query ($a: Boolean = null) { __typename @skip(if: $a) }",
      "1:51 `$a` is `Boolean`, but `Boolean!` is needed."),
    WrongDocument(
      "query ($a: [DeltaInput]!) { delta(queues: $a) { time } }",
      "1:43 `$a` is `[DeltaInput]!`, but `[DeltaInput!]!` is needed."),
    WrongDocument(
      "query ($a: DeltaInput!) { delta(queues: $a) { time } }",
      "1:41 `$a` is `DeltaInput!`, but `[DeltaInput!]!` is needed."),
    WrongDocument(
      "query { ...a } fragment a on Query { __typename @skip(if: $b) }", "1:59 There is no variable `$b`."),
    WrongDocument("{ changed { a: time a: ranges } }", "1:21 `a` stands for two different things."),
    WrongDocument(
      "{ a: changed { time } a: changed(waitSeconds: 1) { time } }", "1:23 `a` stands for two different things."),
    WrongDocument(
      "{ changed { a: time } ...b } fragment b on Query { changed { a: ranges } }",
      "1:62 `a` stands for two different things."),
    WrongDocument(
      "{ a b }", "1:3 `Query` has no field `a`.", "1:5 `Query` has no field `b`."),
  ]

  static let valid = [
    "{ __typename }", "query A { a: __typename b: __typename a: __typename }", "mutation { __typename }",
    "{ changed { time ranges places { queue head } __typename } }",
    "{ changed(waitSeconds: 5 sums: null) { time } }", "{ changed(sums: \"AA==\") { time } }",
    "{ delta(queues: {queue: \"q\"}) { time } }",
    "{ delta(limit: 5 queues: [{queue: \"q\", cursor: null}, {cursor: \"1\" queue: \"r\"}]) { t: time } }",
    "query A($a: Boolean!) { __typename @skip(if: $a) b: __typename @include(if: $a) }",
    "query A($a: Boolean = true) { __typename @skip(if: $a) b: __typename @include(if: $a) }",
    "query A($w: Int) { changed(waitSeconds: $w) { time } }",
    "query A($s: Base64) { changed(sums: $s) { ...f ... { ranges } ... on ChangedAnswer { time } } } "
      + "fragment f on ChangedAnswer { x: ranges }",
    "query A($q: [DeltaInput!]!) { delta(queues: $q) { time } }",
    "query A($l: Int, $s: Boolean!) { delta(queues: [], limit: $l) { ... @skip(if: $s) { queue } page { ...p } "
      + "page { cursor objects { id live { type } live { content } } } refusal { reason } } } "
      + "fragment p on DeltaPage { head end { digest { sum } } }",
    "query A { delta(queues: []) { __typename page { scan { id } __typename } } } query B { __typename }",
    "query A($id: UUID!) { delta(queues: [{queue: $id}]) { time } }",
    "# comment\nquery A(,,$b: Boolean! = false,){,__typename,@include(if:$b)}",
  ]
}
