# Decodes blobs with stock protobuf: descriptors and a file of (message name, blob) in, a file of (text, blob) out.
import struct
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

descriptors, source, target = sys.argv[1:4]
pool = descriptor_pool.DescriptorPool()
with open(descriptors, "rb") as file:
    for proto in descriptor_pb2.FileDescriptorSet.FromString(file.read()).file:
        pool.Add(proto)
factory = message_factory.MessageFactory(pool)


def scalar(field, value):
    if field.type == field.TYPE_MESSAGE:
        return text(value)
    if field.type == field.TYPE_DOUBLE:
        return struct.pack(">d", value).hex()
    if field.type == field.TYPE_FLOAT:
        return struct.pack(">f", value).hex()
    if field.type == field.TYPE_STRING:
        return value.encode().hex()
    if field.type == field.TYPE_BYTES:
        return value.hex()
    return str(int(value))


def text(message):
    parts = []
    for field, value in message.ListFields():
        if field.label == field.LABEL_REPEATED:
            shown = "[" + ",".join(scalar(field, item) for item in value) + "]"
        else:
            shown = scalar(field, value)
        parts.append(field.json_name + "=" + shown)
    return "{" + ";".join(sorted(parts)) + "}"


with open(source, "rb") as file:
    data = file.read()
position = 0


def take():
    global position
    (length,) = struct.unpack_from(">I", data, position)
    position += 4 + length
    return data[position - length : position]


with open(target, "wb") as file:
    while position < len(data):
        name = take().decode()
        message = factory.GetPrototype(pool.FindMessageTypeByName(name)).FromString(take())
        for part in (text(message).encode(), message.SerializeToString(deterministic=True)):
            file.write(struct.pack(">I", len(part)) + part)
