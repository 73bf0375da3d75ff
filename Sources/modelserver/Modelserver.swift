import Hummingbird
import JWTKit
@main struct Root { static func main() async throws { print("x") } }
