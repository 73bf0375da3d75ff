"""How fast a long timeline is shown and scrolled in a real browser, beside a static page of the same grid.

usage: scrolling.py ADDRESS

ADDRESS is what `moments serve` prints. Prints the milliseconds until the first rows are painted, and how many of the frames
that a display of 60 Hz would have shown were dropped while scrolling. It needs Playwright, and a Chromium.
"""
import os
import shutil
import sys

from playwright.sync_api import sync_playwright

# A page of as many cells as are on three screens, again and again in one place: what the browser itself costs.
STATIC = """
<!doctype html><style>main{height:100vh;overflow:auto}.g{position:relative}.c{position:absolute;width:170px;height:170px;
border-radius:6px;overflow:hidden;contain:strict}.c img{width:100%%;height:100%%;object-fit:cover}body{margin:0}</style>
<main><div class=g style="height:%dpx"></div></main><script>
const g=document.querySelector('.g'),n=%d;const images=%s;
for(let i=0;i<n;i++){const c=document.createElement('div');c.className='c';
c.style.transform=`translate(${i%%7*174}px,${Math.floor(i/7)*174}px)`;
c.innerHTML=`<img src="${images[i%%images.length]}">`;g.append(c)}</script>
"""

# Scrolls 40 px a frame for four seconds, and counts the frames that came too late.
SCROLL = """
() => new Promise((done) => {
  const scroller = document.querySelector("main");
  const times = [];
  const end = performance.now() + 4000;
  const step = (time) => {
    times.push(time);
    scroller.scrollTop += 40;
    if (performance.now() < end) requestAnimationFrame(step);
    else {
      const due = (times.at(-1) - times[0]) / (1000 / 60);
      done({ frames: times.length - 1, dropped: Math.max(0, 1 - (times.length - 1) / due) });
    }
  };
  requestAnimationFrame(step);
})
"""

address = sys.argv[1]
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"), args=["--no-sandbox"])
    context = browser.new_context(viewport={"width": 1280, "height": 800}, bypass_csp=True)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(".cell")
    for _ in range(3):
        page.reload(wait_until="commit")
        page.wait_for_selector(".cell")
        print("first rows in the page: %d ms after its navigation began" % page.evaluate("performance.now()"))
    page.wait_for_timeout(2000)
    images = page.eval_on_selector_all(".cell img", "images => images.map((image) => image.src)")
    for round in range(3):
        page.evaluate("document.querySelector('main').scrollTop = %d" % (20_000 * (round + 1)))
        page.wait_for_timeout(500)
        moments = page.evaluate(SCROLL)
        static = context.new_page()
        static.goto(address.split("?")[0])
        static.set_content(STATIC % (400 * 174, 2800, images[:60]))
        static.wait_for_timeout(1000)
        still = static.evaluate(SCROLL)
        static.close()
        print("dropped frames: %.1f %% of the timeline, %.1f %% of a static page"
              % (moments["dropped"] * 100, still["dropped"] * 100))
    browser.close()
