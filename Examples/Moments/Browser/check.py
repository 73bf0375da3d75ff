"""Checks the page in a browser, each part by itself.

usage: check.py MOMENTS MODELSERVER ACCESS [PART ...]

MOMENTS is the program, MODELSERVER the server's, ACCESS the access.json of the schemas. It needs Playwright, and a
Chromium: the one that $CHROMIUM names, else `chromium` of the system.
"""
import sys
import time

import changes
import dates
import keyboard
import kinds
import problems
import touch
import years
from stage import stage

PARTS = {
    "keyboard": keyboard, "dates": dates, "kinds": kinds, "years": years, "changes": changes, "problems": problems,
    "touch": touch,
}

moments, modelserver, access, *names = sys.argv[1:]
with stage(moments, modelserver, access) as scene:
    for name in names or PARTS:
        start = time.monotonic()
        PARTS[name].check(scene)
        print("ok: %s (%.1f s)" % (name, time.monotonic() - start), flush=True)
