"""Pictures of every kind, and a video: each has its thumbnail or mark, its date, and is shown large."""
import base64
import re
import shutil
from pathlib import Path

from stage import cell, expect

SMALL = Path(__file__).parent.parent / "Tests/MomentsTests/Pictures"

# A second of a moving square, as the browser itself records it, so that it can play it.
RECORD = """
async () => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 240 })
  const brush = canvas.getContext("2d")
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/mp4" })
  const parts = []
  recorder.ondataavailable = (event) => parts.push(event.data)
  const stopped = new Promise(resolve => { recorder.onstop = resolve })
  recorder.start()
  for (let frame = 0; frame < 60; frame++) {
    await new Promise(requestAnimationFrame)
    brush.fillStyle = "#124"
    brush.fillRect(0, 0, 320, 240)
    brush.fillStyle = "#fc6"
    brush.fillRect(frame * 4, 80, 80, 80)
  }
  recorder.stop()
  await stopped
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
  return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""))
}
"""
# Whether it plays, and what its length is. A recorded stream says no length until it has been played to its end.
PLAY = """
async (film) => {
  film.muted = true
  await film.play()
  await new Promise(resolve => { film.ontimeupdate = () => { if (film.currentTime > 0) resolve() } })
  film.pause()
  return [film.videoWidth, film.videoHeight]
}
"""
SEEK = """
async (film) => {
  await new Promise(resolve => { film.onseeked = resolve; film.currentTime = 0.5 })
  return film.currentTime
}
"""


def check(stage):
    folder = stage.folder / "kinds"
    folder.mkdir()
    for number, kind in enumerate(("jpg", "png", "webp", "heic")):
        shutil.copy(SMALL / f"plain.{kind}", folder / f"IMG_20260517_18030{number}.{kind}")
    shutil.copy(SMALL / "cmyk.jpg", folder / "IMG_20260517_180304.jpg")
    recording = stage.page(stage.device("rec"))
    (folder / "VID_20260518_091011.mp4").write_bytes(undated(base64.b64decode(recording.evaluate(RECORD))))
    recording.context.close()
    page = stage.page(stage.device("kay", pictures=folder), locale="en-US")
    expect(cell(page, 1)).to_have_attribute("aria-setsize", "6")
    shows_pictures(page)
    plays_video(page)
    page.context.close()


def undated(video):
    """Without the moment of the recording, so that the date is the one of the file's name."""
    start = video.index(b"mvhd") + 8
    count = 8 if video[start - 4] == 1 else 4
    return video[:start] + bytes(count) + video[start + count:]


def shows_pictures(page):
    for position in range(2, 7):
        sizes = "image => [image.naturalWidth, image.naturalHeight]"
        image = cell(page, position).locator("img")
        expect(image).to_have_js_property("complete", True)
        assert image.evaluate(sizes) == [48, 32], f"thumbnail {position}"
        cell(page, position).click()
        large = page.locator("figure img")
        expect(large).to_be_visible()
        expect(large).to_have_js_property("naturalWidth", 48)
        assert large.evaluate(sizes) == [48, 32], f"picture {position}"
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def plays_video(page):
    answers = []
    page.on("response", lambda answer: answers.append(answer) if "/picture/" in answer.url else None)
    video = cell(page, 1)
    expect(video.locator(".mark.video")).to_be_visible()
    expect(video).to_have_attribute("aria-label", re.compile("^Video, May 18, 2026, 9:10"))
    video.click()
    film = page.locator("figure video")
    expect(film).to_be_visible()
    expect(film).to_have_attribute("src", re.compile("/picture/"))
    expect(page.get_by_label("Taken")).to_have_value("2026-05-18T09:10")
    expect(page.locator("aside dl")).to_contain_text("320 × 240")
    assert film.evaluate(PLAY) == [320, 240]
    assert film.evaluate(SEEK) == 0.5
    ranges = [(answer.status, answer.headers.get("content-range", "")) for answer in answers]
    assert ranges and all(status == 206 and re.match(r"bytes \d+-\d+/\d+$", part) for status, part in ranges), ranges
    # It stops where the next photo comes, and is not heard any more.
    film.evaluate("film => film.play()")
    page.get_by_role("button", name="The next photo").click()
    expect(page.locator("figure img")).to_be_visible()
    expect(film).to_have_js_property("networkState", 0)
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)
