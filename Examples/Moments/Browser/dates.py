"""A photo's date by keyboard alone: corrected in its field, the photo stands under another day at once."""
import re

from stage import cell, expect, focused_photo, tab_to


def check(stage):
    page = stage.page(stage.device("dan", pictures=stage.pictures(12, days=2)), locale="en-US")
    expect(cell(page, 12)).to_be_visible()
    expect(page.locator(".day")).to_have_count(2)
    tab_to(page, "[role=option]")
    page.keyboard.press("Home")
    photo = focused_photo(page)
    page.keyboard.press("Enter")
    field = page.get_by_label("Taken")
    expect(field).not_to_have_value("")
    tab_to(page, "input[type=datetime-local]")
    page.keyboard.type("02292024")
    page.keyboard.press("Tab")
    page.keyboard.type("1150PM")
    expect(field).to_have_value("2024-02-29T23:50")
    page.keyboard.press("Enter")
    expect(page.locator(".day")).to_have_count(3)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    # It is the last one now, under a heading of its own, and has the focus.
    focused = page.locator(".cell:focus")
    expect(focused).to_have_attribute("aria-posinset", "12")
    expect(focused).to_have_attribute("aria-label", re.compile("Feb 29, 2024, 11:50"))
    assert focused_photo(page) == photo
    expect(page.locator(".day h3", has_text="February 29, 2024")).to_contain_text("1 photo")
    page.reload()
    expect(page.locator(".day h3", has_text="February 29, 2024")).to_contain_text("1 photo")
    page.context.close()
