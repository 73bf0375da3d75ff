"""A modelserver to be measured, and what its clients send."""

import base64
import hashlib
import hmac
import http.client
import json
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import measuring

ROOT = Path(__file__).resolve().parent.parent.parent
SECRET = "0123456789abcdef0123456789abcdef"
COMMIT = """mutation Commit($queue: UUID!, $grant: UUID, $mutations: [MutationInput!]!) {
  commit(queue: $queue, grant: $grant, mutations: $mutations) {
    decided { grant outcomes { status at } }
    refusal { reason }
  }
}"""


def build():
    package = ["--package-path", ROOT, "-c", "release"]
    measuring.run(["swift", "build", *package, "--product", "modelserver"])
    return Path(measuring.output(["swift", "build", *package, "--show-bin-path"])) / "modelserver"


class Server:
    """A modelserver on a free port, with a database of its own in a folder, or with one of PostgreSQL."""

    def __init__(self, program, folder, *options, postgres=None):
        database = ["--postgres", postgres, "--files", folder / "files"] if postgres else ["--database", folder / "team.sqlite"]
        secret = folder / "secret"
        secret.write_text(SECRET)
        secret.chmod(0o600)
        self.process = subprocess.Popen(
            [program, "serve", "--create", *database, "--secret-file", secret, "--port", "0", "--metrics-port", "0", *options], stdout=subprocess.PIPE, text=True)
        # Two lines, in either order.
        ports = dict(self.process.stdout.readline().strip().rsplit(" http://127.0.0.1:", 1) for _ in range(2))
        self.port = int(ports["modelserver listens on"])
        self.operator = int(ports["metrics are on"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def megabytes(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) * 1_024 / 1e6

    def wait(self, metric, count):
        while self.metric(metric) != count:
            time.sleep(0.1)

    def metric(self, name):
        with answer(self.operator, "GET", "/metrics") as text:
            return next(int(line.split()[1]) for line in text.read().decode().splitlines() if line.startswith(name))


@contextmanager
def answer(port, method, path, body=None, fields={}):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request(method, path, body, fields)
    yield connection.getresponse()
    connection.close()


def graphQL(query, **variables):
    return json.dumps({"query": query, "variables": variables}).encode()


def fields(user):
    """Of a request by the user of a number."""
    return {"Authorization": f"Bearer {token(text(identifier(1, user)))}", "Sync-Protocol-Version": "1",
            "Content-Type": "application/json", "Accept": "application/graphql-response+json"}


def token(user):
    parts = [{"alg": "HS256", "typ": "JWT"}, {"sub": user, "exp": 9_999_999_999}]
    signed = b".".join(base64URL(json.dumps(part).encode()) for part in parts)
    signature = hmac.new(SECRET.encode(), signed, hashlib.sha256).digest()
    return (signed + b"." + base64URL(signature)).decode()


def base64URL(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def identifier(kind, number):
    """Of version 4 (RFC 9562), as queues have to be."""
    return bytes([kind]) + bytes(5) + b"\x40\x00" + b"\x80" + number.to_bytes(7, "big")


def bound(queue, number):
    """The id of an object, bound to its queue as docs/formats/blob-format.md has it."""
    chosen = number.to_bytes(6, "big") + b"\x80\x00"
    proof = hashlib.sha256(b"modelgen.bound.1\0" + queue + chosen).digest()[:8]
    return chosen + bytes([proof[0] & 0x3f | 0x80]) + proof[1:]


def text(identifier):
    digits = identifier.hex()
    return "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])


def create(identifier, size=1):
    """A note whose text has so many bytes, as docs/formats/operation-format.md has it."""
    fields = part(6, part(2, b"x" * size))
    return part(1, part(1, identifier) + part(2, b"note") + part(3, fields))


def part(number, data):
    """A field of bytes."""
    return bytes([number << 3 | 2]) + varint(len(data)) + data


def varint(value):
    return bytes([value & 0x7f | 0x80]) + varint(value >> 7) if value > 0x7f else bytes([value])


def follow(user):
    """Takes the user in as a writer."""
    return bytes.fromhex("12140a10") + user + bytes.fromhex("1002")
