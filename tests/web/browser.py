"""A headless Chromium, driven through its debugging pipe: nothing but Python's own library is needed."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


def find_program():
    """Returns the path of a Chromium, or None."""
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


class Browser:
    """One window. What pages say in the console, and what they ask the network for, is kept."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="proffer-browser-")
        to_browser, self.to_browser = os.pipe()
        self.from_browser, from_browser = os.pipe()

        def pass_pipes():  # Chromium reads commands from descriptor 3, and answers to 4
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=pass_pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.unread = b""
        self.number = 0
        self.session = None
        self.console = []
        self.requests = []
        page = next(one for one in self.ask("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        shutil.rmtree(self.profile, ignore_errors=True)

    def ask(self, method, **parameters):
        """Sends a command and returns its result; what happens meanwhile is noted."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + 60
        while True:
            answer = self._next(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _next(self, until):
        while b"\0" not in self.unread:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.from_browser], [], [], left)[0]:
                raise RuntimeError("the browser says nothing")
            read = os.read(self.from_browser, 1 << 20)
            if not read:
                raise RuntimeError("the browser has ended")
            self.unread += read
        one, self.unread = self.unread.split(b"\0", 1)
        message = json.loads(one)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method, event):
        if method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(one.get("value", one.get("description"))) for one in event["args"]))
        elif method == "Log.entryAdded":
            self.console.append(event["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.console.append(f"a dialog: {event['message']}")

    def look(self, width, height, theme):
        """Sets the size of the window, and whether the person likes it light or dark."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=width < 600)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def go(self, url):
        self.ask("Page.navigate", url=url)

    def value(self, expression):
        """Returns the value of a JavaScript expression."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']['text']}")
        return answer["result"].get("value")

    def wait(self, condition, seconds=20):
        """Waits until a JavaScript expression is true."""
        until = time.monotonic() + seconds
        while not self._holds(condition):
            if time.monotonic() > until:
                raise RuntimeError(f"in vain: {condition}")
            time.sleep(0.05)

    def _holds(self, condition):
        try:
            return self.value(condition)
        except RuntimeError as error:  # between two documents there is none
            if "Uncaught" in str(error) or "context" in str(error):
                return False
            raise

    def key(self, name, code):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code,
                     text="\r" if name == "Enter" and kind == "keyDown" else "")

    def picture(self, path):
        height = self.value("Math.ceil(document.documentElement.scrollHeight)")
        width = self.value("window.innerWidth")
        shot = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                        clip={"x": 0, "y": 0, "width": width, "height": min(height, 6000), "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
