"""What the checks of the page play with: a modelserver, devices that each serve a page, and a browser.

Nothing here sleeps: a program is ready when it has printed its address, and a page when an expectation holds.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect, sync_playwright


class Process:
    """A program that prints its address once it is ready."""

    def __init__(self, *command):
        self.process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if found := re.search(r"http://\S+", line):
                self.address = found[0]
                return
        sys.exit(f"error: {command[0]} {command[1]} has ended")

    def stop(self):
        self.process.kill()
        self.process.wait()


class Device:
    """One user's store, and `moments serve` of it. Without a server it is on this device only."""

    def __init__(self, stage, name, server=None):
        self.moments, self.name, self.process = stage.moments, name, None
        self.folder = stage.folder / f"device-{name}-{len(stage.devices)}"
        self.options = ["--store", self.folder, "--user", name]
        if server:
            self.options += ["--server", server.address, "--token-file", stage.token(name)]

    def take(self, pictures):
        """Imports the pictures of a folder. The device may not be served meanwhile."""
        subprocess.run([self.moments, "import", pictures, *self.options], check=True, stdout=subprocess.DEVNULL)
        return self

    def serve(self, port=0):
        self.process = Process(self.moments, "serve", "--port", port, *self.options)
        self.address = self.process.address
        return self

    def stop(self):
        if self.process:
            self.process.stop()
        self.process = None

    def restart(self):
        """Serves again at the same port, as somebody does who names one."""
        port = re.search(r":(\d+)/", self.address)[1]
        self.stop()
        return self.serve(port)


class Stage:
    def __init__(self, folder, moments, modelserver, access):
        self.folder, self.moments, self.modelserver, self.access = folder, moments, modelserver, access
        self.devices, self.servers, self.errors = [], [], []
        # Small ones are made sooner.
        self.width = 160
        self.secret = folder / "secret"
        subprocess.run([modelserver, "new-secret", self.secret], check=True, stdout=subprocess.DEVNULL)

    def server(self, *options):
        """A new server with an empty database."""
        database = self.folder / f"server-{len(self.servers)}.sqlite"
        server = Process(
            self.modelserver, "serve", "--create", "--database", database, "--secret-file", self.secret, "--access",
            self.access, "--port", 0, *options)
        self.servers.append(server)
        return server

    def token(self, name):
        file = self.folder / f"{name}.token"
        command = [self.modelserver, "token", "--secret-file", self.secret, "--user", name]
        file.write_bytes(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        return file

    def pictures(self, count, days=5, after=0):
        """A folder of sample pictures. `after` leaves out the first ones, so that two users have different ones."""
        folder = self.folder / f"pictures-{count}-{days}-{after}"
        if not folder.exists():
            subprocess.run(
                [self.moments, "samples", folder, "--count", str(count + after), "--days", str(days),
                 "--width", str(self.width)],
                check=True, stdout=subprocess.DEVNULL)
            for file in sorted(folder.iterdir())[:after]:
                file.unlink()
        return folder

    def device(self, name, server=None, pictures=None):
        device = Device(self, name, server)
        self.devices.append(device)
        if pictures:
            device.take(pictures)
        return device.serve()

    def page(self, device, width=1200, height=800, **options):
        """Opens a device's page in a browser of its own. What its console complains about is an error of the check."""
        page = self.browser.new_context(viewport={"width": width, "height": height}, **options).new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: message.type == "error" and self.complain(device, message.text))
        page.on("pageerror", lambda error: self.complain(device, str(error)))
        page.goto(device.address)
        return page

    def complain(self, device, text):
        # The browser itself says so while `serve` is not there, or does not know the token.
        if not re.search(r"net::ERR_|status of 403", text):
            self.errors.append(f"{device.name}: {text}")

    def end(self):
        for process in self.devices + self.servers:
            process.stop()


@contextmanager
def stage(moments, modelserver, access):
    """A stage with a browser: the one that $CHROMIUM names, else `chromium` of the system."""
    expect.set_options(timeout=15_000)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        stage = Stage(Path(folder), moments, modelserver, access)
        stage.browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"), args=["--no-sandbox"])
        try:
            yield stage
        finally:
            stage.end()
            stage.browser.close()
    if stage.errors:
        sys.exit("error: in the console:\n" + "\n".join(stage.errors))


def focused_photo(page):
    """The id of the photo that has the focus."""
    return page.evaluate("document.activeElement.photo")


def tab_to(page, selector, key="Tab"):
    """Presses Tab until an element that matches has the focus. Fails where there is no way."""
    for _ in range(60):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {selector}")


def cell(page, position):
    """The photo at a position, from 1; their elements are in the order in which they came."""
    return page.locator(f".cell[aria-posinset='{position}']")
