"""What goes wrong is said, with what to do: uploads that are refused, operations that fail, a page whose server stops."""
import re

from stage import cell, expect


def check(stage):
    refused_uploads(stage)
    refused_operations(stage)
    restarts(stage)


def refused_uploads(stage):
    server = stage.server("--user-bytes", "15000")
    page = stage.page(stage.device("cleo", server, stage.pictures(12)))
    chip = page.locator("#refused")
    expect(chip).to_be_visible()
    expect(chip).to_contain_text("not uploaded")
    expect(page.locator("#sync")).not_to_contain_text("Uploading")
    expect(page.locator("#uploads")).to_be_hidden()
    chip.click()
    dialog = page.get_by_role("dialog", name="Not uploaded")
    expect(dialog.get_by_role("listitem").first).to_contain_text("There is no room left for it on the server. Ask")
    expect(dialog.locator("img").first).to_be_visible()
    expect(dialog).not_to_contain_text("QUOTA")
    refused = dialog.locator("img").first.get_attribute("src").split("/")[-1]
    dialog.get_by_role("button", name="Close").click()
    page.goto(page.url.split("#")[0] + f"#/photos/photo/{refused}")
    expect(page.locator("aside .warning")).to_contain_text("no room left")
    # What is shared with it is not claimed to have been shared.
    page.get_by_role("button", name="Share", exact=True).click()
    share(page, "ben", "By the lake")
    expect(page.locator(".toast").last).to_contain_text("will be shared with ben once the server takes the pictures")
    page.context.close()


def refused_operations(stage):
    server = stage.server("--max-invitations", "1")
    page = stage.page(stage.device("dora", server, stage.pictures(12)))
    for friend in ("ben", "cleo"):
        cell(page, 1).locator(".pick").click()
        page.get_by_role("button", name="Share…").click()
        share(page, friend, f"For {friend}")
    chip = page.locator("#failed")
    expect(chip).to_contain_text("did not happen")
    chip.click()
    dialog = page.get_by_role("dialog", name="Did not happen")
    item = dialog.get_by_role("listitem").first
    expect(item).to_contain_text("Share 1 photo with cleo")
    expect(item.locator("img")).to_be_visible()
    expect(item).not_to_contain_text("moment.")
    item.get_by_role("button", name="Seen").click()
    expect(chip).to_be_hidden()
    page.context.close()


def restarts(stage):
    device = stage.device("emil", pictures=stage.pictures(12))
    page = stage.page(device)
    cell(page, 3).click()
    dialog = page.get_by_role("dialog", name="Photo")
    expect(dialog.get_by_role("button", name="Like")).to_be_visible()
    device.stop()
    expect(page.locator(".toast")).to_contain_text("Start it again")
    # An error stands above the open photo, where it can be read and answered.
    dialog.get_by_role("button", name="Like").click()
    error = page.locator(".toast", has_text="nothing was changed")
    expect(error).to_be_visible()
    error.get_by_role("button", name="OK").click()
    expect(error).to_have_count(0)
    # Pictures are imported while it is stopped, as an empty library says.
    device.take(stage.pictures(8, after=12))
    address = device.address
    assert device.serve().address == address, "the page has the address that it had"
    expect(page.locator(".toast")).to_have_count(0)
    dialog.get_by_role("button", name="Like").click()
    expect(dialog.get_by_role("button", name="Like")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.locator(".cell:focus")).to_have_attribute("aria-label", re.compile("1 like"))
    expect(page.locator(".cell:focus")).to_have_attribute("aria-setsize", "20")
    # At the port, but with another token: the page cannot find that by itself, and says so.
    device.stop()
    (device.folder / "page.json").unlink()
    device.serve(port=address.split(":")[2].split("/")[0])
    expect(page.locator(".toast")).to_contain_text("Open the address that moments serve has printed")
    page.context.close()


def share(page, friend, title):
    page.get_by_label("With: the name").fill(friend)
    page.get_by_label("In the moment").fill(title)
    page.get_by_role("dialog", name="Share photos").get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_label("With: the name")).to_have_count(0)
