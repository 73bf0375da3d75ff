// The fuzz target of the protocol's messages: any bytes give a message or an error, and a message stays the same when
// it is written and read again.

import JSON
import SyncProtocol
import WireFormat

/// Reads `bytes` as JSON, and as the body of each request and each answer but those of `commits`. Writes the result and
/// reads it again.
public func fuzzMessages(_ bytes: UnsafeRawBufferPointer) {
  let body = Array(bytes)
  guard let value = try? JSONValue(parsing: body) else { return }
  precondition((try? JSONValue(parsing: value.encoded)) == value, "what was read is not what was written")
  checkRequests(body)
  checkAnswer(of: .commit, value, .message) { $0.json }
  checkAnswer(of: .delta, value, .list(.message, atMost: ProtocolLimits.deltaQueues)) { .list($0) }
  checkAnswer(of: .changed, value, .message) { $0.json }
  checkAnswer(of: .objects, value, .message) { $0.json }
  if let error = RequestError(answer: value) {
    precondition(RequestError(answer: error.json) == error, "an error is another one when it was written")
  }
}

private func checkRequests(_ body: [UInt8]) {
  guard let request = try? GraphQLRequest(body: body) else { return }
  precondition((try? GraphQLRequest(body: request.body)) == request, "a request is another one when it was written")
  let variables = JSONValue.object(request.variables)
  checkRequest(of: .commit, variables)
  checkRequest(of: .delta, variables)
  checkRequest(of: .changed, variables)
  checkRequest(of: .objects, variables)
}

private func checkRequest<Request: MessageValue & Equatable, Answer>(
  of call: SyncCall<Request, Answer>, _ variables: JSONValue
) {
  guard let request = read(MessageField<Request>.message, variables) else { return }
  precondition(read(.message, request.json) == request, "a request is another one when it was written")
  let body = try? GraphQLRequest(body: call.body(request))
  precondition(body?.query == call.document, "a request has no body")
}

/// Nil if reading refuses the value, which is allowed.
private func read<Value>(_ field: MessageField<Value>, _ value: JSONValue) -> Value? {
  do throws(MessageError) { return try field.read(value) } catch { return nil }
}

/// Reads an answer from a whole body, writes it, and reads it again, by itself and in a body.
private func checkAnswer<Request, Answer: Equatable>(
  of call: SyncCall<Request, Answer>, _ value: JSONValue, _ field: MessageField<Answer>,
  _ json: (Answer) -> JSONValue
) {
  guard let answer = try? call.answer(value.encoded) else { return }
  precondition(read(field, json(answer)) == answer, "an answer is another one when it was written")
  let body = JSONValue.object([JSONValue.Member("data", .object([JSONValue.Member(call.field, json(answer))]))])
  precondition((try? call.answer(body.encoded)) == answer, "an answer is another one in a body")
}
