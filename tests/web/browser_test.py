"""Opens every page of the dashboard in a headless Chromium, beside a cluster with work of its own.

    browser_test.py PROFFER

Each page draws; nothing is said in the console; no request leaves; texts of the cluster stay texts; keys do; and an
allocator that is away is seen to be. Says "Chromium is not there" where it is not.
"""

import json
import os
import subprocess
import sys
import urllib.request

from browser import Browser, find_program

HOSTILE = "<img src=x onerror=alert(1)>"
WORK = """
USER='%s' proffer run --name hostile -n 40 -- sleep 300 &
proffer run --name picky --prefer n01 --policy wait,node_wait=30s -n 40 -- sleep 300 &
echo "http $(proffer ui)"
read -r until_the_end
""" % HOSTILE

# As if names were not bound to letters and digits: what the allocator says is changed on its way to the page.
CHANGED = """
(() => {
  const fetched = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await fetched(...asked);
    const text = (await answer.text()).replaceAll('"hostile"', JSON.stringify(%s));
    return new Response(text, {status: answer.status, headers: answer.headers});
  };
})()
""" % json.dumps(HOSTILE)

failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}")


def answer(url, path):
    with urllib.request.urlopen(f"{url}/api/v1/{path}", timeout=20) as body:
        return json.load(body)


def open_page(browser, url, place, wanted="main .panel"):
    browser.go("about:blank")
    browser.wait("location.href === 'about:blank'")
    browser.go(f"{url}/{place}")
    browser.wait("document.documentElement?.dataset.drawn !== undefined")
    browser.wait(f"document.querySelector({json.dumps(wanted)}) !== null")


def look_at_pages(browser, url):
    agent = answer(url, "agents")["agents"][0]
    framework = next(one for one in answer(url, "frameworks")["frameworks"] if one["name"] == "hostile")
    pages = {"#/": "svg.chart path.capacity", "#/pools": "main .share", "#/frameworks": "main .bar i",
             "#/agents": "main .slot.used", "#/tasks": "main tbody tr", f"#/agent/{agent['id']}": "main .slots",
             f"#/framework/{framework['id']}": "main .words p", "#/pool/(root)": "svg.chart"}
    for theme in ("light", "dark"):
        for width in (1200, 400):
            browser.look(width, 900, theme)
            for place, wanted in pages.items():
                open_page(browser, url, place, wanted)
                expect(browser.value("document.documentElement.dataset.theme") == theme, f"{place} is {theme}")
                expect(browser.value("document.documentElement.scrollWidth <= window.innerWidth"),
                       f"{place} fits into {width} columns")
    open_page(browser, url, "#/framework/nobody", "main h1")
    expect("not in the cluster" in browser.value("document.body.innerText"), "a framework that is gone is said to be")


def look_at_hostile_texts(browser, url):
    browser.ask("Page.addScriptToEvaluateOnNewDocument", source=CHANGED)
    framework = next(one for one in answer(url, "frameworks")["frameworks"] if one["name"] == "hostile")
    for place in ("#/", "#/frameworks", "#/agents", "#/tasks", f"#/framework/{framework['id']}"):
        open_page(browser, url, place)
        browser.wait(f"document.body.innerText.includes({json.dumps(HOSTILE)})")
        expect(browser.value("document.querySelectorAll('img').length") == 0, f"{place} made markup of a text")


def use_keys(browser, url):
    browser.look(1200, 900, "light")
    open_page(browser, url, "#/")
    for _ in range(4):  # past the link to the content, the name, and the first page
        browser.key("Tab", 9)
    expect(browser.value("document.activeElement.textContent") == "Pools", "the fourth Tab is at the second page")
    browser.key("Enter", 13)
    browser.wait("document.documentElement.dataset.drawn === 'Pools'")
    browser.value("document.getElementById('theme').focus()")
    browser.key("Enter", 13)
    browser.wait("document.documentElement.dataset.theme === 'dark'")
    browser.value("localStorage.clear()")


def lose_the_allocator(browser, url, cluster):
    open_page(browser, url, "#/", "svg.chart")
    cluster.stdin.close()
    browser.wait("!document.getElementById('away').hidden", 40)
    expect(browser.value("document.getElementById('link').dataset.state") == "away", "the sign says away")


def main():
    program = find_program()
    if not program:
        print("Chromium is not there")
        return 0
    proffer = os.path.abspath(sys.argv[1])
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PROFFER_")}
    environment["PATH"] = f"{os.path.dirname(proffer)}:{environment['PATH']}"
    cluster = subprocess.Popen([proffer, "dev", "--port", "0", "--nodes", "3", "--", "bash", "-c", WORK], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
    browser = None
    try:
        url = next(line.split()[1] for line in cluster.stdout if line.startswith("http ")).rstrip("/")
        browser = Browser(program)
        look_at_pages(browser, url)
        look_at_hostile_texts(browser, url)
        use_keys(browser, url)
        expect(browser.console == [], f"the console says {browser.console}")
        strangers = [one for one in browser.requests if not one.startswith((url, "about:", "data:"))]
        expect(strangers == [], f"requests leave: {strangers}")
        lose_the_allocator(browser, url, cluster)
    finally:
        if browser:
            browser.close()
        if not cluster.stdin.closed:
            cluster.stdin.close()
        cluster.wait(60)
    print("FAILED" if failures else f"all pages of {url} are as they should be")
    return 1 if failures else 0


sys.exit(main())
