"""The page with a finger, 320 px wide: everything can be reached, nothing is cut off or lies above something else."""
from stage import cell, expect

# Elements of the page that are wider than it, or headings of more than their one line.
WIDE = """
() => [...document.querySelectorAll("header *, main *, dialog *")].filter(element => {
  const { right, left, width } = element.getBoundingClientRect()
  return width > 0 && getComputedStyle(element).opacity !== "0" && (right > innerWidth + 1 || left < -1)
}).map(element => `${element.tagName}.${element.className} ${element.textContent.slice(0, 30)}`)
"""
OVERLAPS = """
() => {
  const boxes = [...document.querySelectorAll("nav a, header button, #network, #user, #sync")]
    .map(element => [element, element.getBoundingClientRect()]).filter(([, box]) => box.width > 0)
  return boxes.flatMap(([one, a], index) => boxes.slice(index + 1)
    .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
    .map(([other]) => `${one.id || one.textContent} lies on ${other.id || other.textContent}`))
}
"""


def check(stage):
    device = stage.device("tim", stage.server(), stage.pictures(40))
    page = stage.page(device, 320, 640, has_touch=True, is_mobile=True)
    expect(cell(page, 10)).to_be_visible()
    fits(page)
    headings = page.locator(".day h3").evaluate_all("all => all.map(h => h.scrollWidth <= h.clientWidth && h.offsetHeight < 40)")
    assert headings and all(headings), "a heading is cut"

    finger = page.context.new_cdp_session(page)

    # Holding selects, taps go on with it, and Done ends it.
    hold(page, finger, cell(page, 2))
    expect(page.locator(".bar h2")).to_have_text("1 selected")
    cell(page, 3).tap()
    expect(page.locator(".bar h2")).to_have_text("2 selected")
    fits(page)
    assert page.locator(".bar").bounding_box()["height"] < 110, "the bar of a selection takes two lines at most"
    page.get_by_role("button", name="Done").tap()
    expect(page.locator(".bar h2")).to_have_text("Photos")
    page.get_by_role("button", name="Select", exact=True).first.tap()
    page.locator(".day button").first.tap()
    expect(page.locator(".bar h2")).to_have_text("8 selected")
    page.get_by_role("button", name="Done").tap()

    for name in ("Moments", "News", "Photos"):
        page.get_by_role("link", name=name, exact=True).tap()
        expect(page.get_by_role("heading", name=name, level=2)).to_be_visible()
        fits(page)

    # A tap opens, a swipe leads on, and Back closes as the button does.
    cell(page, 1).tap()
    dialog = page.get_by_role("dialog", name="Photo")
    dialog.get_by_role("button", name="Close").tap()
    expect(dialog).to_have_count(0)
    cell(page, 2).tap()
    expect(dialog.get_by_label("Caption")).to_be_visible()
    fits(page)
    before = page.url
    swipe(page, finger, page.locator("figure"))
    expect(page).not_to_have_url(before)
    expect(page.locator("figure img")).to_be_visible()
    page.go_back()
    expect(dialog).to_have_count(0)
    page.context.close()


def fits(page):
    assert not (wide := page.evaluate(WIDE)), f"wider than the page: {wide}"
    assert not (overlaps := page.evaluate(OVERLAPS)), f"{overlaps}"


def hold(page, finger, photo):
    """A finger that stays until the photo is selected."""
    box = photo.bounding_box()
    touch(finger, "touchStart", box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(photo).to_have_attribute("aria-selected", "true")
    touch(finger, "touchEnd")


def swipe(page, finger, element):
    box = element.bounding_box()
    for kind, x in [("touchStart", 240), ("touchMove", 160), ("touchMove", 80)]:
        touch(finger, kind, x, box["y"] + box["height"] / 2)
    touch(finger, "touchEnd")


def touch(finger, kind, *point):
    points = [{"x": point[0], "y": point[1]}] if point else []
    finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
