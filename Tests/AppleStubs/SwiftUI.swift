// A stand-in for SwiftUI where there is none: the declarations that our sources and the examples of the documents use,
// and without a body that works. Written from memory, isolation included: no SDK was at hand to compare it with.
// `Scripts/check-apple` compiles it to typecheck against, and nothing runs it.

// Views.

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { stub() }
}

@resultBuilder
public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    stub()
  }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
    stub()
  }
  public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
    stub()
  }
}

public struct EmptyView: View {
  public nonisolated init() {}
  public var body: Never { stub() }
}

public struct TupleView<Content>: View {
  public var body: Never { stub() }
}

public struct ConditionalContent<First: View, Second: View>: View {
  public var body: Never { stub() }
}

extension Optional: View where Wrapped: View {
  public var body: Never { stub() }
}

public struct Text: View {
  public nonisolated init<Content: StringProtocol>(_ content: Content) { stub() }
  public var body: Never { stub() }
}

public struct TextField: View {
  public init<Title: StringProtocol>(_ title: Title, text: Binding<String>) { stub() }
  public var body: Never { stub() }
}

public struct Toggle: View {
  public init<Title: StringProtocol>(_ title: Title, isOn: Binding<Bool>) { stub() }
  public var body: Never { stub() }
}

public struct Button: View {
  public init<Title: StringProtocol>(_ title: Title, action: @escaping @MainActor () -> Void) { stub() }
  public var body: Never { stub() }
}

public struct Section<Content: View>: View {
  public init<Title: StringProtocol>(_ title: Title, @ViewBuilder content: () -> Content) { stub() }
  public var body: Never { stub() }
}

public struct Form<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) { stub() }
  public var body: Never { stub() }
}

@MainActor @preconcurrency
public struct List<Content: View>: View {
  public nonisolated init(@ViewBuilder content: () -> Content) { stub() }
  public nonisolated init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, ID, Row> { stub() }
  public var body: Never { stub() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID { stub() }
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    stub()
  }
  public var body: Never { stub() }
}

extension View {
  public nonisolated func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
    stub()
  }
  public nonisolated func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View { ignoring(keyPath, value) }
  public nonisolated func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View { ignoring(value, action) }
  public nonisolated func onSubmit(_ action: @escaping () -> Void) -> some View { ignoring(action) }
  public nonisolated func animation<Value: Equatable>(_ animation: Animation?, value: Value) -> some View {
    ignoring(animation as Any, value)
  }
  private nonisolated func ignoring(_ values: Any...) -> EmptyView { EmptyView() }
}

@MainActor @preconcurrency
public protocol ViewModifier {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

extension ViewModifier {
  public typealias Content = ModifierContent<Self>
}

public struct ModifierContent<Modifier: ViewModifier>: View {
  public var body: Never { stub() }
}

public struct ModifiedContent<Content, Modifier>: View {
  public var body: Never { stub() }
}

// Apps.

@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  public static func main() { stub() }
}

@MainActor @preconcurrency
public protocol Scene {}

@resultBuilder
public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: @escaping () -> Content) { stub() }
}

public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

// Data.

public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

@propertyWrapper
public struct State<Value>: DynamicProperty {
  public init(wrappedValue: Value) { stub() }
  public var wrappedValue: Value {
    get { stub() }
    nonmutating set { stub() }
  }
  public var projectedValue: Binding<Value> { stub() }
}

extension State: Sendable where Value: Sendable {}

@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  @preconcurrency
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) { stub() }
  public var wrappedValue: Value {
    get { stub() }
    nonmutating set { stub() }
  }
  public var projectedValue: Binding<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { stub() }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

public struct EnvironmentValues: CustomStringConvertible {
  public init() {}
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { stub() }
    set { stub() }
  }
  public var scenePhase: ScenePhase {
    get { stub() }
    set { stub() }
  }
  public var description: String { stub() }
}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { stub() }
  public var wrappedValue: Value { stub() }
}

// Animation.

public struct Animation: Equatable, Sendable {
  public static let `default` = Animation()
}

public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result { try body() }

private func stub() -> Never { fatalError("a stub of SwiftUI is for the type checker only") }
