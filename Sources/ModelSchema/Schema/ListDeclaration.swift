// Lists: ordered, filtered, sectioned collections of one model. Views: the values that a row shows.

/// An ordered, filtered, sectioned collection of the objects of one model.
public struct ListDeclaration: Hashable, Sendable {
  public var name: String
  public var doc: String?
  /// A field that makes one list for each of its values, for example the moment of a photo.
  public var per: String?
  /// All must hold.
  public var conditions: [Condition]
  public var section: SectionRule?
  /// Never empty. Absent values come last, and ids break ties.
  public var order: [OrderTerm]
  /// Of the objects with an equal value at this path, only the first is in the list.
  public var distinct: FieldPath?
  /// Whether each case of the section's enum has a section, even where the section is empty.
  public var keepsEmptySections: Bool
  /// The list has at most this many objects, the first ones; nil for all.
  public var limit: Int?

  public init(
    name: String, doc: String?, per: String?, conditions: [Condition], section: SectionRule?, order: [OrderTerm],
    distinct: FieldPath?, keepsEmptySections: Bool = false, limit: Int? = nil
  ) {
    self.name = name
    self.doc = doc
    self.per = per
    self.conditions = conditions
    self.section = section
    self.order = order
    self.distinct = distinct
    self.keepsEmptySections = keepsEmptySections
    self.limit = limit
  }
}

/// One term of `where:`.
public enum Condition: Hashable, Sendable {
  case compare(FieldPath, ComparisonOperator, ValueExpression)
  case isNull(FieldPath)
  case isNotNull(FieldPath)
  /// At least one of these conditions must hold. There are two or more, and none is an `any`.
  case any([Condition])
}

extension Condition {
  /// The fields that the condition reads.
  public var fields: [FieldPath] {
    switch self {
    case .compare(let field, _, _), .isNull(let field), .isNotNull(let field): [field]
    case .any(let conditions): conditions.flatMap(\.fields)
    }
  }

  /// Whether the condition names `$now` or `$today`, so that it can change while its object stays the same.
  public var followsTime: Bool {
    switch self {
    case .compare(_, _, let value): value.isTime
    case .isNull, .isNotNull: false
    case .any(let conditions): conditions.contains(where: \.followsTime)
    }
  }
}

extension ValueExpression {
  /// Whether it is `$now` or `$today`.
  public var isTime: Bool { self == .now || self == .today }
}

public enum ComparisonOperator: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case contains

  /// Whether it asks which side comes first: `<`, `<=`, `>` or `>=`.
  public var isOrder: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .equal, .notEqual, .contains: false
    }
  }
}

public struct OrderTerm: Hashable, Sendable {
  public var field: FieldPath
  public var descending: Bool

  public init(field: FieldPath, descending: Bool) {
    self.field = field
    self.descending = descending
  }
}

/// The rule that divides a list into sections.
public enum SectionRule: Hashable, Sendable {
  case day(FieldPath)
  case week(FieldPath)
  case month(FieldPath)
  case year(FieldPath)
  /// A new section begins where two neighbours are further apart than this.
  case gap(FieldPath, milliseconds: Int64)
  case value(FieldPath)
  /// By the first letter of a text.
  case initial(FieldPath)
}

/// An immutable struct derived from an object and the objects that it refers to.
public struct ViewDeclaration: Hashable, Sendable {
  public var name: String
  public var doc: String?
  public var fields: [ViewField]

  public init(name: String, doc: String?, fields: [ViewField]) {
    self.name = name
    self.doc = doc
    self.fields = fields
  }
}

public struct ViewField: Hashable, Sendable {
  public var name: String
  public var source: ViewSource
  /// A list of whole numbers for a table of counts. Nil where it is unknown, because a file cannot be read.
  public var type: FieldType?

  public init(name: String, source: ViewSource, type: FieldType?) {
    self.name = name
    self.source = source
    self.type = type
  }
}

extension ModelDeclaration {
  /// What a path such as `row.unread` of a list names in a view; nil where it begins with a field.
  public func viewField(at path: FieldPath) -> ViewField? {
    guard path.names.count == 2, field(named: path.names[0]) == nil else { return nil }
    return views.first { $0.name == path.names[0] }?.fields.first { $0.name == path.names[1] }
  }
}

public indirect enum ViewSource: Hashable, Sendable {
  /// `moment.title`
  case path(FieldPath)
  /// `count(likedBy)`
  case count(FieldPath)
  /// `member(sender).name`; without a key `member($me).name`
  case lookup(model: String, key: FieldPath?, path: [String])
  /// `count(photo.inMoment)`: about the objects in a list of another model whose `per:` is a ref to this one.
  case children(ChildTerm)
}

/// A question about the objects that a list of another model has for an object.
public struct ChildTerm: Hashable, Sendable {
  public var model: String
  public var list: String
  public var question: ChildQuestion

  public init(model: String, list: String, question: ChildQuestion) {
    self.model = model
    self.list = list
    self.question = question
  }
}

public enum ChildQuestion: Hashable, Sendable {
  /// `count(message.inRoom)`
  case count
  /// `count(message.inRoom where sentAt > marker($me).readUpTo)`; the value is a path or a look-up.
  case countOf(FieldPath, ComparisonOperator, ViewSource)
  /// `counts(reaction.ofMessage by emoji)`
  case groups(FieldPath)
  /// `sum(line.ofInvoice amount)`
  case sum(FieldPath)
  /// `newest(message.inRoom).text`: of the object with the largest value of the list's first order.
  case newest(path: [String])
}
