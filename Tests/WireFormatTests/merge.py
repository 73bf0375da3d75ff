# Merges patches into contents once more, in another language: lines of "content patch" in hexadecimal in, the merged
# content of each out (docs/formats/blob-format.md, "Merge").
import struct
import sys

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
PARTS = {1: "set", 2: "clear", 3: "insert", 4: "remove", 5: "increment", 6: "fill", 7: "raise", 8: "lower"}


def read_varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return value & (1 << 64) - 1, at


def varint(value):
    result = bytearray()
    while value > 127:
        result.append(value & 127 | 128)
        value >>= 7
    return bytes(result + bytearray([value]))


def records(data):
    """(tag, wire type, value) of each record; of a varint the value is its bytes."""
    at, found = 0, []
    while at < len(data):
        key, at = read_varint(data, at)
        kind, start = key & 7, at
        if kind == VARINT:
            _, at = read_varint(data, at)
        elif kind == LENGTH:
            length, start = read_varint(data, at)
            at = start + length
        else:
            at += 8 if kind == FIXED64 else 4
        found.append((key >> 3, kind, data[start:at]))
    return found


def encoded(record):
    tag, kind, value = record
    return varint(tag << 3 | kind) + (varint(len(value)) if kind == LENGTH else b"") + value


def rank(record):
    """A number by which records of one wire type are ordered: IEEE 754's total order, if they are no varints."""
    _, kind, value = record
    if kind == VARINT:
        return struct.unpack("<q", struct.pack("<Q", read_varint(value, 0)[0]))[0]
    bits, width = int.from_bytes(value, "little"), 8 * len(value)
    return bits if bits < 1 << width - 1 else (1 << width - 1) - 1 - bits


def shortest(record):
    tag, kind, value = record
    return (tag, kind, varint(read_varint(value, 0)[0])) if kind == VARINT else record


def parts(patch):
    result = {name: [] for name in PARTS.values()}
    for number, _, value in records(patch):
        if PARTS[number] == "clear":
            at = 0
            while at < len(value):
                tag, at = read_varint(value, at)
                result["clear"].append(tag)
        else:
            result[PARTS[number]] = records(value)
    return result


def merged(content, patch):
    fields, change = {}, parts(patch)
    for record in records(content):
        fields.setdefault(record[0], []).append(record)
    present = set(fields)
    for record in change["fill"]:
        if record[0] not in present:
            fields.setdefault(record[0], []).append(record)
    for tag in change["clear"] + [record[0] for record in change["set"]]:
        fields.pop(tag, None)
    for record in change["set"]:
        fields.setdefault(record[0], []).append(record)
    for tag in {record[0] for record in change["insert"] + change["remove"]}:
        elements = set(fields.get(tag, [])) - set(change["remove"])
        elements |= {record for record in change["insert"] if record[0] == tag}
        fields[tag] = sorted(elements, key=lambda record: record[1:])
    for tag, _, value in change["increment"]:
        number = read_varint(value, 0)[0]
        for _, kind, before in fields.get(tag, [])[::-1]:
            if kind == VARINT:
                one, two = number, read_varint(before, 0)[0]
                total = (one >> 1 ^ -(one & 1)) + (two >> 1 ^ -(two & 1)) + (1 << 63)
                total = total % (1 << 64) - (1 << 63)
                number = total << 1 if total >= 0 else (-total << 1) - 1
                break
        fields[tag] = [(tag, VARINT, varint(number))]
    for name, sign in (("raise", 1), ("lower", -1)):
        for new in change[name]:
            tag, kind, _ = new
            old = [record for record in fields.get(tag, []) if record[1] == kind][-1:]
            stays = old and sign * rank(old[0]) >= sign * rank(new)
            fields[tag] = [shortest(old[0]) if stays else new]
    return b"".join(encoded(record) for tag in sorted(fields) for record in fields[tag])


for line in sys.stdin if len(sys.argv) < 2 else open(sys.argv[1]):
    one, two = line.rstrip("\n").split(" ")
    print(merged(bytes.fromhex(one), bytes.fromhex(two)).hex())
