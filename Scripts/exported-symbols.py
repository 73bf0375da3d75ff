# Cuts a symbol graph down to some types and what belongs to them, and says that they are of ModelRuntime.
# usage: exported-symbols.py NAMES <GRAPH >GRAPH     (NAMES: a file with the name of a type in each line)
import json
import sys

names = set(open(sys.argv[1], encoding="utf-8").read().split())
graph = json.load(sys.stdin)
graph["module"]["name"] = "ModelRuntime"
symbols = [symbol for symbol in graph["symbols"] if symbol["pathComponents"][0] in names]
absent = names - {symbol["pathComponents"][0] for symbol in symbols}
if absent:
    sys.exit(f"error: no symbols of {', '.join(sorted(absent))}")
kept = {symbol["identifier"]["precise"] for symbol in symbols}
everything = {symbol["identifier"]["precise"] for symbol in graph["symbols"]}
graph["symbols"] = symbols
# A relationship with a type that is not shown would be a link that leads nowhere.
graph["relationships"] = [
    one for one in graph["relationships"]
    if one["source"] in kept and (one["target"] in kept or one["target"] not in everything)
]
json.dump(graph, sys.stdout)
