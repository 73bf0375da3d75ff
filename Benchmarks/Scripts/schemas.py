"""Schema folders of any size for measuring: every model differs, the same seed gives the same files."""

import random
from pathlib import Path

BEFORE = "big blue calm cold dark deep dry early fair fast first flat fresh gold grand green grey half high kind last " \
         "late light long loud low main mild near new next old open pale plain quick quiet rare red rich".split()
BEHIND = "Album Answer Badge Barrel Basket Beacon Bridge Card Cart Chapter Cloud Colour Desk Draft Engine Event Field " \
         "Folder Garden Gate Group Harbour Invoice Journey Kettle Ladder Letter Market Meeting Note Offer Order Page " \
         "Parcel Place Report Route Season Ticket Visit".split()
# Weighted as in an app: texts and numbers are frequent, raw bytes are not.
SINGLE = ["string"] * 6 + ["int32", "int64", "uint32", "uint64", "double", "float"] + ["bool", "timestamp"] * 2 + \
         ["data", "uuid", "file", "ref(user)"]
ELEMENT = ["string", "int32", "int64", "double", "timestamp", "uuid", "ref(user)"]
IN_SETS = ["string", "int32", "int64", "timestamp", "uuid", "ref(user)"]


class Folder:
    """`fields` is the number of fields of a model; None varies it from 8 to 18."""

    def __init__(self, models, fields, seed):
        self.random = random.Random(seed)
        self.fields = fields
        names = [before + behind for before in BEFORE for behind in BEHIND]
        self.random.shuffle(names)
        self.names = names[:models]

    def write(self, path):
        path.mkdir(parents=True, exist_ok=True)
        (path / "modelgen.yaml").write_text("schema: Measured\naccess: public\noutput: ../Generated\n")
        for name in self.names:
            (path / f"{name}.yaml").write_text("\n".join(self.model(name)) + "\n")

    def model(self, name):
        chance = self.random.random
        structs = [f"part{number}" for number in range(self.random.choice([0, 0, 1, 1, 2]))]
        enums = [f"kind{number}" for number in range(self.random.choice([0, 1, 1]))]
        lines = [f"model: {name}", "doc: Something to measure.", "queue: self", "fields:"]
        for number, field in enumerate(self.unique(self.fields or self.random.randint(8, 18)), 1):
            type = self.type(structs, enums)
            if chance() < 0.25:
                lines.append(f"  {field}: {{ type: {type}, tag: {number}, doc: What it says about the {field}. }}")
            else:
                lines.append(f"  {field}: {type} = {number}")
        if structs:
            lines.append("structs:")
            for struct in structs:
                fields = ", ".join(f"{field}: {self.single()} = {number}"
                                   for number, field in enumerate(self.unique(self.random.randint(2, 5)), 1))
                lines.append(f"  {struct}: {{ fields: {{ {fields} }} }}")
        if enums:
            lines.append("enums:")
            for enum in enums:
                cases = ", ".join(f"{case}: {number}"
                                  for number, case in enumerate(self.unique(self.random.randint(2, 6)), 1))
                lines.append(f"  {enum}: {{ cases: {{ {cases} }} }}")
        return lines

    def type(self, structs, enums):
        kind = self.random.random()
        choice = self.random.choice
        if kind < 0.08:
            return f"list({choice(ELEMENT + structs + enums)})"
        if kind < 0.16:
            return f"set({choice(IN_SETS + enums)})"
        if kind < 0.20:
            return "counter"
        if kind < 0.26:
            return f"ref({choice(self.names)})"
        if kind < 0.34 and structs + enums:
            return choice(structs + enums) + choice(["", "?"])
        return self.single()

    def single(self):
        return self.random.choice(SINGLE) + self.random.choice(["", "", "?"])

    def unique(self, count):
        """Names for fields or cases, unique among themselves."""
        names = {}
        while len(names) < count:
            names[self.random.choice(BEFORE) + self.random.choice(BEHIND)] = None
        return list(names)


def write(path, models, fields=None, seed=1):
    Folder(models, fields, seed).write(Path(path))
