"""The scale of years beside a long grid: it leads to each year, and says which one is looked at."""
from stage import cell, expect, tab_to


def check(stage):
    page = stage.page(stage.device("gil", pictures=stage.pictures(60, days=1500)), locale="en-US")
    expect(cell(page, 1)).to_be_visible()
    scale = page.get_by_role("navigation", name="Years")
    expect(scale).to_be_visible()
    years = scale.get_by_role("button").all_inner_texts()
    assert len(years) >= 4 and years == sorted(years, reverse=True), years
    current = scale.locator("[aria-current=date]")
    expect(current).to_have_text(years[0])
    heights = scale.get_by_role("button").evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
    assert all(below - above >= 20 for above, below in zip(heights, heights[1:])), f"years lie on each other: {heights}"

    # By mouse to the oldest year, whose newest photo is the first one in sight.
    scale.get_by_role("button", name=years[-1]).click()
    expect(page.locator(".day h3", has_text=years[-1]).first).to_be_in_viewport()
    # By keyboard to the one before.
    scale.get_by_role("button", name=years[1]).focus()
    page.keyboard.press("Enter")
    expect(current).to_have_text(years[1])
    expect(page.locator(".day h3", has_text=years[1]).first).to_be_in_viewport()
    tab_to(page, "[role=option]")
    page.keyboard.press("Home")
    expect(current).to_have_text(years[0])
    page.context.close()

    # Photos of one year need no scale.
    page = stage.page(stage.device("uma", pictures=stage.pictures(8, days=1)))
    expect(cell(page, 1)).to_be_visible()
    expect(page.locator(".years")).to_be_hidden()
    page.context.close()
