"""Focus, selection and the open photo belong to photos, while others come and go."""
from stage import cell, expect, focused_photo


def check(stage):
    server = stage.server()
    page = stage.page(stage.device("anna", server, stage.pictures(40)))
    expect(cell(page, 10)).to_be_visible()
    selects_by_mouse(page)
    cell(page, 1).focus()
    page.keyboard.press("End")
    expect(page.locator(".cell:focus")).to_have_attribute("aria-posinset", "40")
    last = focused_photo(page)
    page.keyboard.press("Space")
    # Scrolling far away takes nothing from it.
    page.evaluate("document.querySelector('main').scrollTop = 0")
    expect(cell(page, 1)).to_be_in_viewport()
    assert focused_photo(page) == last

    # The same user's other device brings older and newer photos.
    other = stage.page(stage.device("anna", server, stage.pictures(20, after=40)))
    expect(cell(page, 1)).to_have_attribute("aria-setsize", "60")
    expect(cell(other, 1)).to_have_attribute("aria-setsize", "60")
    assert focused_photo(page) == last
    expect(page.locator(".bar h2")).to_have_text("1 selected")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".cell:focus")).to_have_attribute("aria-selected", "true")
    assert focused_photo(page) == last
    page.keyboard.press("Escape")

    # A photo that is open stays open while its neighbours go.
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".cell:focus")).to_have_attribute("aria-posinset", "2")
    second = focused_photo(page)
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Photo")
    expect(dialog).to_be_visible()
    hide_first(other)
    expect(cell(page, 1)).to_have_attribute("aria-setsize", "59")
    assert page.url.endswith(second)
    expect(dialog.get_by_role("button", name="The photo before")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.locator(".cell:focus")).to_have_attribute("aria-posinset", "1")
    assert focused_photo(page) == second

    # The focused one goes: its neighbour has the focus, and the keys go on.
    hide_first(other)
    expect(page.locator(".cell:focus")).to_have_attribute("aria-setsize", "58")
    assert focused_photo(page) != second
    page.keyboard.press("ArrowRight")
    expect(page.locator(".cell:focus")).to_have_attribute("aria-posinset", "2")
    for each in (page, other):
        each.context.close()


def selects_by_mouse(page):
    heading = page.locator(".bar h2")
    cell(page, 2).locator(".pick").click()
    cell(page, 5).click(modifiers=["Shift"])
    expect(heading).to_have_text("4 selected")
    expect(page.locator(".cell[aria-selected=true]")).to_have_count(4)
    # Only what is selected has the hook.
    hooks = page.locator(".cell .pick").evaluate_all("all => all.map(p => getComputedStyle(p, '::before').content)")
    assert hooks.count('"✓"') == 4, hooks
    page.get_by_role("button", name="This day").click()
    expect(heading).to_have_text("8 selected")
    # The bar and the day's heading stay in sight.
    page.evaluate("document.querySelector('main').scrollTop = 150")
    expect(heading).to_be_in_viewport()
    expect(page.locator(".day h3").first).to_be_in_viewport()
    page.get_by_role("button", name="Done").click()
    expect(heading).to_have_text("Photos")
    page.evaluate("document.querySelector('main').scrollTop = 0")


def hide_first(page):
    cell(page, 1).click()
    page.get_by_role("button", name="Hide").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
