"""Takes pictures of the page in each of its states, light and dark, for somebody to look at.

usage: states.py MOMENTS MODELSERVER ACCESS FOLDER

MOMENTS is the program, MODELSERVER the server's, ACCESS the access.json of the schemas. It needs Playwright, and a
Chromium: the one that $CHROMIUM names, else `chromium` of the system.
"""
import re
import sys
from pathlib import Path

from problems import share
from stage import cell, expect, stage

moments, modelserver, access, folder = sys.argv[1:]
folder = Path(folder)
folder.mkdir(parents=True, exist_ok=True)


def shot(page, name):
    """Once every picture in sight is there, without transitions, so that the same state is the same picture."""
    page.evaluate("Promise.all([...document.images].map(image => image.decode().catch(() => {})))")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.screenshot(path=folder / f"{name}-{scheme}.png", animations="disabled")


def at(page, place):
    page.goto(page.url.split("#")[0] + place)


def library(page):
    expect(cell(page, 10)).to_be_visible()
    expect(page.locator("#sync")).to_have_text("Up to date")
    shot(page, "library")
    cell(page, 2).focus()
    page.keyboard.press("ArrowRight")
    shot(page, "library-focus")
    page.keyboard.press("Enter")
    page.get_by_label("Caption").fill("Above the lake")
    page.get_by_label("Add a tag").fill("summer")
    page.get_by_label("Add a tag").press("Enter")
    page.get_by_role("button", name="Like").click()
    expect(page.locator(".tags")).to_contain_text("summer")
    page.locator("dialog.photo").focus()
    shot(page, "photo")
    page.keyboard.press("Escape")
    page.evaluate("document.querySelector('main').scrollTop = 700")
    for number in (17, 18, 20):
        page.locator(f".cell[aria-posinset='{number}'] .pick").click()
    page.mouse.move(0, 0)
    shot(page, "selection")
    page.get_by_role("button", name="Share…").click()
    page.get_by_label("With: the name").fill("ben")
    shot(page, "sharing")
    share(page, "ben", "By the lake")
    shot(page, "shared")


def widths(page):
    expect(page.locator(".toast")).to_have_count(0)
    for name, width, height in [("320", 320, 640), ("zoom-200", 640, 400), ("768", 768, 1024), ("1600", 1600, 900)]:
        page.set_viewport_size({"width": width, "height": height})
        at(page, "#/photos")
        page.evaluate("document.querySelector('main').scrollTop = 0")
        expect(cell(page, 1)).to_be_visible()
        shot(page, f"library-{name}")
        cell(page, 2).locator(".pick").click(force=True)
        shot(page, f"selection-{name}")
        page.get_by_role("button", name="Share…").click()
        shot(page, f"sharing-{name}")
        page.get_by_role("button", name="Cancel").click()
        page.get_by_role("button", name="Done").click()
        cell(page, 2).click()
        expect(page.locator("dialog.photo .like")).to_be_visible()
        shot(page, f"photo-{name}")
        page.keyboard.press("Escape")
        expect(page).not_to_have_url(re.compile("/photo/"))
        at(page, "#/moments")
        expect(page.locator("section[aria-label='Shared moments'] img")).not_to_have_count(0)
        shot(page, f"moments-{name}")
    page.set_viewport_size({"width": 1200, "height": 800})


def people(anna, ben):
    at(ben, "#/notifications")
    expect(ben.locator(".rows")).to_contain_text("anna shared 3 photos")
    shot(ben, "news")
    at(anna, "#/moments")
    expect(anna.locator("section[aria-label='Shared moments']")).to_contain_text("By the lake")
    expect(anna.get_by_role("region", name="Suggestions").get_by_role("button").first).to_be_visible()
    shot(anna, "suggestions")
    anna.get_by_role("link", name="By the lake").click()
    expect(anna.locator(".people")).to_contain_text("With ben")
    shot(anna, "moment")


def offline(page):
    at(page, "#/photos")
    page.locator("#network label", has_text="Offline").click()
    cell(page, 1).locator(".pick").click()
    page.get_by_role("button", name="Share…").click()
    share(page, "cleo", "In the mountains")
    expect(page.locator("#waiting")).to_contain_text("on the way")
    shot(page, "offline")
    page.locator("#waiting").click()
    expect(page.get_by_role("dialog")).to_contain_text("This device is offline")
    shot(page, "waiting")
    page.keyboard.press("Escape")


def refused(page):
    expect(page.locator("#refused")).to_be_visible()
    shot(page, "refused")
    page.locator("#refused").click()
    expect(page.get_by_role("dialog").locator("img").first).to_be_visible()
    photo = page.get_by_role("dialog").locator("img").first.get_attribute("src").split("/")[-1]
    shot(page, "refused-why")
    page.set_viewport_size({"width": 320, "height": 640})
    shot(page, "refused-why-320")
    page.keyboard.press("Escape")
    shot(page, "refused-320")
    page.set_viewport_size({"width": 1200, "height": 800})
    at(page, f"#/photos/photo/{photo}")
    expect(page.locator("aside .warning")).to_be_visible()
    shot(page, "refused-photo")


def failed(page):
    for friend in ("ben", "cleo"):
        cell(page, 1).locator(".pick").click()
        page.get_by_role("button", name="Share…").click()
        share(page, friend, f"For {friend}")
    expect(page.locator("#failed")).to_be_visible()
    page.locator("#failed").click()
    expect(page.get_by_role("dialog").locator("img")).to_be_visible()
    shot(page, "failed")


def stopped(page, device):
    cell(page, 2).click()
    expect(page.locator("dialog.photo .like")).to_be_visible()
    device.stop()
    expect(page.locator(".toast", has_text="Start it again")).to_be_visible()
    page.locator("dialog.photo .like").click()
    expect(page.locator(".toast", has_text="nothing was changed")).to_be_visible()
    shot(page, "stopped")


with stage(moments, modelserver, access) as scene:
    scene.width = 480
    server, small, shy = scene.server(), scene.server("--user-bytes", "150000"), scene.server("--max-invitations", "1")
    empty = scene.page(scene.device("ben", server))
    expect(empty.locator(".nothing")).to_be_visible()
    shot(empty, "empty")
    at(empty, "#/moments")
    expect(empty.locator(".nothing")).to_be_visible()
    shot(empty, "empty-moments")
    device = scene.device("anna", server, scene.pictures(48, days=4))
    anna = scene.page(device)
    library(anna)
    people(anna, empty)
    widths(anna)
    offline(anna)
    stopped(anna, device)
    years = scene.page(scene.device("gina", pictures=scene.pictures(24, days=1500)))
    expect(years.locator(".years")).to_be_visible()
    shot(years, "years")
    refused(scene.page(scene.device("cleo", small, scene.pictures(24, days=1500))))
    failed(scene.page(scene.device("dora", shy, scene.pictures(24, days=1500))))
print(f"ok: {len(list(folder.glob('*.png')))} pictures in {folder}")
