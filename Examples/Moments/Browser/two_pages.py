"""Two pages of `moments demo` in a real browser: what one does offline is seen on the other once both are online.

usage: two_pages.py MOMENTS MODELSERVER ACCESS [FOLDER]

MOMENTS is the program, MODELSERVER the server's, ACCESS the access.json of the schemas; where it fails, both pages are
in FOLDER. It needs Playwright, and a Chromium: the one that $CHROMIUM names, else `chromium` of the system.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Error as PlaywrightError, expect, sync_playwright

moments, modelserver, access = sys.argv[1:4]
shots = Path(sys.argv[4]) if len(sys.argv) > 4 else None
errors = []


def open_page(browser, name, address):
    page = browser.new_page(viewport={"width": 1200, "height": 800})
    page.set_default_timeout(10_000)
    page.on("console", lambda message: message.type == "error" and errors.append(f"{name}: {message.text}"))
    page.on("pageerror", lambda error: errors.append(f"{name}: {error}"))
    page.goto(address)
    expect(page.locator(".cell").first).to_be_visible()
    return page


def shot(page, name):
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=shots / f"{name}.png")


def network(page, mode):
    page.locator("#network label", has_text=mode).click()


def share(page, count, friend, title):
    for number in range(count):
        page.locator(".cell .pick").nth(number).click()
    page.get_by_role("button", name="Share…").click()
    page.get_by_label("With: the name").fill(friend)
    page.get_by_label("In the moment").fill(title)
    page.get_by_role("button", name="Share", exact=True).click()


def play(anna, ben):
    # Shared while offline: seen here at once, and nowhere else.
    network(anna, "Offline")
    expect(anna.locator("#sync")).to_contain_text("Offline")
    share(anna, 3, "ben", "By the lake")
    expect(anna.locator("#waiting")).to_contain_text("on the way")
    anna.locator("#waiting").click()
    expect(anna.get_by_role("dialog")).to_contain_text("This device is offline")
    anna.get_by_role("button", name="Close").click()
    anna.get_by_role("link", name="Moments").click()
    expect(anna.get_by_role("region", name="Shared moments")).to_contain_text("By the lake")
    suggestions = anna.get_by_role("region", name="Suggestions")
    expect(suggestions.get_by_role("button").first).to_contain_text("photos")
    suggestions.get_by_role("button").first.click()
    expect(anna.get_by_role("dialog")).to_contain_text("Share")
    anna.get_by_role("button", name="Cancel").click()
    expect(ben.locator("#unread")).to_be_hidden()

    # Back again: it arrives, and the marks go.
    network(anna, "On")
    expect(ben.locator("#unread")).to_have_text("1")
    expect(anna.locator("#waiting")).to_be_hidden()
    ben.get_by_role("link", name="News").click()
    expect(ben.locator(".rows")).to_contain_text("anna shared 3 photos in By the lake")
    ben.get_by_role("link", name="By the lake").click()
    expect(ben.locator(".cell")).to_have_count(3)
    expect(ben.locator("#unread")).to_be_hidden()

    # Both edit one photo offline; then both see both.
    anna.get_by_role("link", name="By the lake").click()
    expect(anna.locator(".cell")).to_have_count(3)
    for page in (anna, ben):
        network(page, "Offline")
        page.locator(".cell").nth(1).click()
    anna.get_by_label("Caption").fill("The ferry")
    anna.get_by_label("Caption").press("Enter")
    ben.get_by_role("button", name="Like").click()
    ben.get_by_label("Add a tag").fill("lake")
    ben.get_by_label("Add a tag").press("Enter")
    expect(ben.locator(".tags")).to_contain_text("lake")
    for page in (anna, ben):
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        expect(page.locator(".mark.pending").first).to_be_visible()
        network(page, "On")
    for page in (anna, ben):
        expect(page.locator(".mark.pending")).to_have_count(0)
        expect(page.locator(".cell").nth(1)).to_have_attribute("aria-label", re.compile("The ferry.*1 like"))

    # Hiding reaches the other page.
    anna.locator(".cell").nth(0).click()
    anna.get_by_role("button", name="Hide").click()
    expect(ben.locator(".cell")).to_have_count(2)
    anna.get_by_role("button", name="Undo").click()
    expect(ben.locator(".cell")).to_have_count(3)
    ben.get_by_role("link", name="Photos", exact=True).click()
    expect(ben.locator(".cell").nth(10)).to_be_visible()
    ben.emulate_media(color_scheme="dark")
    ben.locator(".cell").nth(3).click()
    ben.keyboard.press("Escape")

    # By keyboard alone.
    ben.locator(".cell").nth(3).focus()
    ben.keyboard.press("ArrowRight")
    ben.keyboard.press("Space")
    expect(ben.locator(".cell[aria-selected=true]")).to_have_count(1)
    ben.keyboard.press("Escape")
    ben.keyboard.press("End")
    expect(ben.locator(".cell:focus")).to_have_attribute("aria-posinset", "15")


demo = subprocess.Popen(
    [moments, "demo", "--modelserver", modelserver, "--access", access], stdout=subprocess.PIPE, text=True)
try:
    addresses = {}
    while len(addresses) < 2:
        line = demo.stdout.readline()
        if not line:
            sys.exit("error: the demo has ended")
        if found := re.match(r"(\w+): (http://\S+)", line):
            addresses[found[1]] = found[2]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"), args=["--no-sandbox"])
        anna, ben = (open_page(browser, name, addresses[name]) for name in ("anna", "ben"))
        try:
            play(anna, ben)
        except (AssertionError, PlaywrightError):
            print("\n".join(errors), file=sys.stderr)
            shot(anna, "failed-anna")
            shot(ben, "failed-ben")
            raise
        browser.close()
finally:
    demo.terminate()
    demo.wait()
if errors:
    sys.exit("error: in the console:\n" + "\n".join(errors))
print("ok: both pages agree")
