"""The page by keyboard alone."""
import re

from stage import cell, expect, focused_photo, tab_to


def check(stage):
    page = stage.page(stage.device("kim", pictures=stage.pictures(40)))
    expect(cell(page, 10)).to_be_visible()
    opens_and_closes(page)
    selects(page)
    keeps_captions(page)
    shares(page)
    page.context.close()


def opens_and_closes(page):
    tab_to(page, "[role=option]")
    first = focused_photo(page)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Photo")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_label("Caption")).to_be_visible()
    assert page.url.endswith(f"/photo/{first}"), page.url
    page.keyboard.press("ArrowRight")
    expect(page).not_to_have_url(re.compile(first))
    second = page.url.split("/photo/")[1]
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.locator(".cell:focus")).to_have_attribute("aria-posinset", "2")
    assert focused_photo(page) == second != first

    # Back closes the photo and keeps the place, far down as well.
    page.keyboard.press("End")
    expect(page.locator(".cell:focus")).to_have_attribute("aria-posinset", "40")
    scrolled = page.evaluate("document.querySelector('main').scrollTop")
    assert scrolled > 0
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    page.go_back()
    expect(dialog).to_have_count(0)
    expect(page.locator(".cell:focus")).to_have_attribute("aria-posinset", "40")
    assert page.evaluate("document.querySelector('main').scrollTop") == scrolled
    # The address of a photo opens it, and closing leads to the grid.
    page.go_forward()
    expect(dialog).to_be_visible()
    page.reload()
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.locator(".cell:focus")).to_have_attribute("aria-posinset", "40")
    # Where a view was left, it is found again.
    page.get_by_role("link", name="Moments").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Moments", level=2)).to_be_visible()
    page.go_back()
    expect(cell(page, 40)).to_be_in_viewport()


def selects(page):
    heading = page.locator(".bar h2")
    tab_to(page, "[role=option]")
    page.keyboard.press("Home")
    expect(page.locator(".cell:focus")).to_have_attribute("aria-posinset", "1")
    page.keyboard.press("Space")
    expect(heading).to_have_text("1 selected")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowRight")
    expect(heading).to_have_text("3 selected")
    page.keyboard.press("PageDown")
    expect(heading).to_be_in_viewport()
    page.keyboard.press("Control+a")
    expect(heading).to_have_text("40 selected")
    page.keyboard.press("Escape")
    expect(heading).to_have_text("Photos")
    expect(page.locator(".cell[aria-selected=true]")).to_have_count(0)
    page.keyboard.press("d")
    expect(heading).to_have_text("8 selected")
    page.keyboard.press("d")
    expect(heading).to_have_text("Photos")


def keeps_captions(page):
    """What was typed is kept on every way out: Escape, the next photo, and closing the window."""
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    caption = page.get_by_label("Caption")
    tab_to(page, "aside input")
    page.keyboard.type("Above the lake")
    page.keyboard.press("Escape")
    expect(page.locator(".cell:focus")).to_have_attribute("aria-label", re.compile("^Above the lake,"))
    page.keyboard.press("Enter")
    expect(caption).to_have_value("Above the lake")
    caption.fill("The ferry")
    page.get_by_role("button", name="The next photo").press("Enter")
    expect(caption).to_have_value("")
    page.keyboard.press("Escape")
    expect(cell(page, 1)).to_have_attribute("aria-label", re.compile("^The ferry,"))
    page.keyboard.press("Enter")
    caption.fill("The harbour")
    page.reload()
    expect(caption).to_have_value("The harbour")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def shares(page):
    tab_to(page, "[role=option]")
    page.keyboard.press("Space")
    tab_to(page, "button.primary", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_label("With: the name")).to_be_focused()
    page.keyboard.type("ben")
    page.keyboard.press("Tab")
    page.keyboard.type("By the lake")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # This device has no server, so nothing has been shared.
    expect(page.locator(".toast")).to_contain_text("1 photo will be shared with ben once this device has a server")
    expect(page.locator(".bar h2")).to_have_text("Photos")
