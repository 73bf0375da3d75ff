"""How soon the first rows of a store are on the page: from the start of `moments serve` to cells that are painted.

usage: opening.py MOMENTS STORE

MOMENTS is the program, STORE the folder of a store. Prints milliseconds. It needs Playwright, and a Chromium, whose own
start does not count.
"""
import os
import re
import shutil
import subprocess
import sys
import time

from playwright.sync_api import sync_playwright

moments, store = sys.argv[1:3]
ROUNDS = 7
# The page notes the moment by the system's clock: to be asked by Playwright takes a tenth of a second more.
NOTES_FIRST_CELL = """
  window.firstCell = new Promise(resolve => new MutationObserver((_, observer) => {
    if (!document.querySelector(".cell")) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())))
  }).observe(document, { childList: true, subtree: true }))
"""
told, shown = [], []
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"), args=["--no-sandbox"])
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(NOTES_FIRST_CELL)
    page.goto("about:blank")
    for _ in range(ROUNDS):
        start = time.time()
        server = subprocess.Popen([moments, "serve", "--store", store], stdout=subprocess.PIPE, text=True)
        while not (address := re.search(r"http://\S+", server.stdout.readline())):
            pass
        told.append((time.time() - start) * 1_000)
        page.goto(address[0], wait_until="commit")
        shown.append(page.evaluate("window.firstCell") - start * 1_000)
        page.goto("about:blank")
        server.terminate()
        server.wait()
    browser.close()
for what, times in [("the address is printed", told), ("the first rows are painted", shown)]:
    times = sorted(times)
    print("%s after %d ms (median of %d; %d to %d)" % (what, times[len(times) // 2], ROUNDS, times[0], times[-1]))
