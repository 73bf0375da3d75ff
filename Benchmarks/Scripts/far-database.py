#!/usr/bin/env python3
"""Passes TCP connections on, and keeps everything for a time: a database that is some milliseconds away.

usage: far-database.py PORT SOCKET-OF-POSTGRESQL MILLISECONDS     (half of them each way)
"""
import asyncio, sys


async def pass_on(reader, writer, seconds):
    loop = asyncio.get_running_loop()
    while data := await reader.read(1 << 16):
        loop.call_later(seconds, writer.write, data)
    loop.call_later(seconds, writer.close)


async def main(port, path, milliseconds):
    seconds = float(milliseconds) / 2_000

    async def connected(reader, writer):
        there, here = await asyncio.open_unix_connection(path)
        await asyncio.gather(pass_on(reader, here, seconds), pass_on(there, writer, seconds))

    server = await asyncio.start_server(connected, "127.0.0.1", int(port))
    async with server:
        await server.serve_forever()


if len(sys.argv) != 4:
    sys.exit(__doc__)
asyncio.run(main(*sys.argv[1:]))
