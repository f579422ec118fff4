#!/usr/bin/env python3
"""Takes pictures of every page of a dashboard, light and dark, wide and narrow. Needs Chromium.

    scripts/look-at-dashboard.py URL [FOLDER]
"""

import json
import pathlib
import sys
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "web"))
from browser import Browser, find_program  # noqa: E402

PAGES = {"overview": "#/", "pools": "#/pools", "frameworks": "#/frameworks", "agents": "#/agents", "tasks": "#/tasks"}


def first_of(url, what):
    with urllib.request.urlopen(f"{url}/api/v1/{what}", timeout=10) as answer:
        return json.load(answer)[what]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    url = sys.argv[1].rstrip("/")
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".")
    program = find_program()
    if not program:
        sys.exit("Chromium is not installed (apt-get install chromium)")
    folder.mkdir(parents=True, exist_ok=True)
    pages = dict(PAGES)
    busiest = max(first_of(url, "frameworks"), key=lambda one: one["tasks"]["launched"], default=None)
    agent = next(iter(first_of(url, "agents")), None)
    pool = first_of(url, "pools")[-1]
    if busiest:
        pages["framework"] = f"#/framework/{busiest['id']}"
    if agent:
        pages["agent"] = f"#/agent/{agent['id']}"
    pages["pool"] = f"#/pool/{pool['name'] or '(root)'}"
    browser = Browser(program)
    try:
        for theme in ("light", "dark"):
            for width in (1200, 400):
                browser.look(width, 900, theme)
                for name, place in pages.items():
                    browser.go("about:blank")
                    browser.go(f"{url}/{place}")
                    browser.wait("document.documentElement?.dataset.drawn !== undefined")
                    browser.wait("document.querySelector('.panel, .empty') !== null")
                    if name in ("overview", "pools", "framework", "pool"):
                        browser.wait("document.querySelector('svg.chart, .empty') !== null")
                    browser.picture(folder / f"{name}-{theme}-{width}.png")
                    cut = browser.value("document.documentElement.scrollWidth > window.innerWidth")
                    if cut:
                        print(f"{name}-{theme}-{width}: wider than the window")
    finally:
        said = browser.console
        browser.close()
    for line in said:
        print(f"console: {line}")
    print(f"{4 * len(pages)} pictures in {folder}")
    sys.exit(1 if said else 0)


main()
