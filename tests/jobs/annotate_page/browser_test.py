#!/usr/bin/env python3
"""browser_test.py WRITE_ANNOTATE_PAGE CHECK_ANNOTATIONS SOURCE_DIR: the
annotation page in Chromium, from a file: URL. Exits with 77, which ctest counts
as skipped, where there is no Chromium."""

import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = None

SCHEMA = """
name: "shop"
attribute { name: "title" mandatory: true }
attribute { name: "author" repeated: true }
attribute { name: "price" type: PRICE }
attribute { name: "picture" type: IMAGE }
attribute { name: "address" }
attribute { name: "isbn" type: ISBN }
"""

BOOK = """<!DOCTYPE html><html><head><title>{title} | Shop</title>
<script>document.title = 'scripts run'; window.pwned = 1;</script>
<style>.author {{ color: #555 }}</style></head>
<body>
<!-- a comment --><script>window.pwned = 2</script>
<div id="menu"><a href="/">Home</a> <a href="/books">Books</a></div>
<h1>  {title}
</h1>
<p>by <span class="author">{author1}</span>, <span class="author">{author2}</span></p>
<p class="price">Our Price: {price} today</p>
<img src="/covers/{number}.jpg" alt="Cover of {title}" width="120" height="160">
<p class="old">Old edition: {title}, first print</p>
<address>12 Main St<br>Springfield</address>
</body></html>"""

HOSTILE = """<!DOCTYPE html><html onload="parent.pwned=1"><head>
<title>&lt;/title&gt;&lt;script&gt;parent.pwned=1&lt;/script&gt;</title>
<meta http-equiv="refresh" content="0;url={server}/refresh">
<base href="{server}/base/">
<link rel="stylesheet" href="{server}/sheet.css">
<link rel="preload" as="image" href="{server}/preload.png">
<link rel="dns-prefetch" href="{server}/">
<link rel="icon" href="{server}/icon.png">
<style>@import "{server}/import.css"; @IMPORT url({server}/import2.css);
body {{ background: url({server}/background.png) }}
@font-face {{ font-family: f; src: url({server}/font.woff) }}
p {{ font-family: f; background-image: u\\72l("{server}/escaped.png") }}
p {{ cursor: url('{server}/cursor.cur'), auto; content: image-set("{server}/set.png" 1x) }}
@\\69mport "{server}/import3.css";
div {{ background: -webkit-image-set(url({server}/set2.png) 1x); --kept: "style" }}
</style>
<script src="{server}/script.js"></script>
<script>parent.pwned = 1; document.title = 'pwned'; top.location = '{server}/top'</script>
</head>
<body onload="parent.pwned=1" background="{server}/body.png" style="--x: 1; background-image: \\75rl('{server}/inline.png')">
</iframe></script><!--></textarea></title></style><script>parent.pwned=1</script>
<p onmouseover="parent.pwned=1" onclick="parent.pwned=1">Harmless text \u2028 &lt;/script&gt;&lt;img src={server}/text.png onerror=pwned=1&gt;</p>
<img src="{server}/image.png" srcset="{server}/srcset.png 2x" onerror="parent.pwned=1" width="50" height="50">
<img src="javascript:parent.pwned=1"><input type="image" src="{server}/input.png" autofocus onfocus="parent.pwned=1">
<picture><source srcset="{server}/picture.png"><img src="{server}/picture2.png"></picture>
<video src="{server}/video.mp4" poster="{server}/poster.png" autoplay><source src="{server}/video2.mp4"></video>
<audio src="{server}/audio.mp3" autoplay></audio>
<iframe src="{server}/frame.html" srcdoc="<script>parent.parent.pwned=1</script>"></iframe>
<object data="{server}/object">Object text</object><applet code="{server}/applet">Applet text</applet><embed src="{server}/embed">
<svg onload="parent.pwned=1"><script>parent.pwned=1</script><image href="{server}/svg.png" xlink:href="{server}/svg2.png"/><use href="{server}/use.svg#a"/><a href="javascript:parent.pwned=1"><text>Svg text</text></a></svg>
<math><mtext><img src="{server}/math.png" onerror="parent.pwned=1"></mtext></math>
<form action="{server}/form" id="body" name="body"><input name="documentElement" value="v"><button formaction="{server}/button">Send the form</button></form>
<a href="javascript:parent.pwned=1" ping="{server}/ping">Script link</a>
<a href="{server}/link" target="_top">Plain link</a>
<table background="{server}/table.png"><tr><td background="{server}/cell.png">cell</td></tr></table>
<details open ontoggle="parent.pwned=1"><summary>Summary</summary>inside</details>
<marquee onstart="parent.pwned=1">marquee</marquee>
<x-y onclick=1 style="position:fixed;inset:0;z-index:999999;background:url({server}/fixed.png)">cover</x-y>
<template><script>parent.pwned=1</script></template>
<noscript><img src="{server}/noscript.png"></noscript>
<plaintext></html>"""

BOOKS = [
    dict(number=1, title="The First Book", author1="Ann Author",
         author2="Bob Writer", price="$25.99"),
    dict(number=2, title="Another Book", author1="Cid Poet",
         author2="Dee Essay", price="$7.50"),
    dict(number=3, title="Third Book", author1="Eve Novel",
         author2="Fay Story", price="$3.00"),
]
URLS = [f"https://shop.example/book/{i}" for i in (1, 2, 3)]
OTHER_URL = "https://shop.example/about"


class Server:
    """Counts the requests that reach it."""

    def __init__(self):
        paths = self.paths = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                paths.append(self.path)
                self.send_response(204)
                self.end_headers()

            do_POST = do_GET

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def write_page(name, clusters, schema=True):
    """An annotation page of {id: [(url, html)]}; its file."""
    spec = {"site": "shop.example", "schema": None, "clusters": []}
    if schema:
        (WORK / "schema.textproto").write_text(SCHEMA)
        spec["schema"] = str(WORK / "schema.textproto")
    for cluster_id, members in clusters.items():
        cluster = {"id": cluster_id, "size": 100 * len(members),
                   "pattern": r"https://shop\.example/.*", "pages": []}
        for url, html in members:
            file = WORK / f"{name}-{cluster_id}-{len(cluster['pages'])}.html"
            file.write_text(html, encoding="utf-8")
            cluster["pages"].append({"url": url, "file": str(file)})
        spec["clusters"].append(cluster)
    (WORK / f"{name}.json").write_text(json.dumps(spec))
    out = WORK / f"{name}.html"
    subprocess.run([WRITER, WORK / f"{name}.json", out,
                    WORK / f"{name}-index.html"], check=True)
    return out


def books_and_hostile():
    clusters = {"books": [(url, BOOK.format(**book))
                          for url, book in zip(URLS, BOOKS)],
                "other": [(OTHER_URL, HOSTILE.format(server=SERVER.url))]}
    return write_page("shop", clusters)


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu",
                         "--disable-dev-shm-usage", "--window-size=1400,900",
                         f"--user-data-dir={WORK}/profile"):
            options.add_argument(argument)
        options.add_experimental_option(
            "prefs", {"download.default_directory": str(DOWNLOADS)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(
            options=options, service=Service(shutil.which("chromedriver")))
        self.driver.set_script_timeout(30)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, *arguments, seconds=15):
        """Until the expression is true; its value."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(f"return {script}", *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"waited for {script}; the console has "
                                     f"{self.driver.get_log('browser')}")
            time.sleep(0.02)

    def open(self, file, page=0):
        self.driver.get(file.as_uri())
        self.shown(page)

    def shown(self, page):
        self.wait("document.body.dataset.shown === arguments[0]", str(page))

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, modifier, key):
        ActionChains(self.driver).key_down(modifier).send_keys(key).key_up(
            modifier).perform()

    def place(self, text, part=None):
        """The box of a text of the page, or of a part of it, on the screen."""
        box = self.run("""
            const [text, part] = arguments;
            const frame = document.querySelector('iframe');
            const page = frame.contentDocument;
            const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
            for (let node; (node = walker.nextNode());) {
              if (!node.data.includes(text)) continue;
              const range = page.createRange();
              const begin = node.data.indexOf(part ?? text);
              range.setStart(node, begin);
              range.setEnd(node, begin + (part ?? text).length);
              const pane = document.getElementById('pane');
              pane.scrollTop = range.getBoundingClientRect().top - 200;
              const {left, top} = frame.getBoundingClientRect();
              const box = range.getBoundingClientRect();
              return [box.left + left, box.top + top, box.width, box.height];
            }""", text, part)
        assert box, f"the page does not show {text!r}"
        return box

    def picture(self):
        return self.run("""
            const frame = document.querySelector('iframe');
            const {left, top} = frame.getBoundingClientRect();
            const box = frame.contentDocument.querySelector('[data-t=img]')
              .getBoundingClientRect();
            return [box.left + left, box.top + top, box.width, box.height];""")

    def move(self, box):
        actions = ActionChains(self.driver, duration=20)
        left, top, width, height = box
        actions.w3c_actions.pointer_action.move_to_location(
            round(left + width / 2), round(top + height / 2))
        return actions

    def point(self, text, part=None):
        self.move(self.place(text, part)).perform()
        # Two frames: one that looks, one that is drawn.
        self.driver.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def click(self, text, part=None):
        self.move(self.place(text, part)).click().perform()

    def shift_click(self, text, part):
        self.move(self.place(text, part)).key_down(Keys.SHIFT).click().key_up(
            Keys.SHIFT).perform()

    def drag(self, text, part):
        left, top, width, height = self.place(text, part)
        actions = ActionChains(self.driver, duration=20)
        pointer = actions.w3c_actions.pointer_action
        pointer.move_to_location(round(left), round(top + height / 2))
        pointer.pointer_down()
        pointer.move_to_location(round(left + width / 2), round(top + height / 2))
        pointer.move_to_location(round(left + width), round(top + height / 2))
        pointer.pointer_up()
        actions.perform()

    def current(self):
        return self.run(
            "return document.querySelector('.attribute.current').dataset.name")

    def values(self, name):
        return self.run("""
            const item = [...document.querySelectorAll('.attribute')]
              .find((item) => item.dataset.name === arguments[0]);
            return [...item.querySelectorAll('.value .text, .absent')]
              .map((value) => value.textContent);""", name)

    def export(self):
        """The lines of the file that export downloads."""
        for file in DOWNLOADS.iterdir():
            file.unlink()
        self.keys("e")
        file = DOWNLOADS / "shop.example.jsonl"
        end = time.monotonic() + 15
        while not file.exists():
            assert time.monotonic() < end, "no download"
            time.sleep(0.02)
        text = file.read_text(encoding="utf-8")
        assert text.endswith("\n")
        return [json.loads(line) for line in text.splitlines()]

    def export_text(self):
        return self.run("return document.getElementById('export-text').textContent")

    def lost(self):
        return self.run("return [...document.querySelectorAll('.lost .text')]"
                        ".map((text) => text.textContent)")

    def boxes(self, name):
        """How many boxes are drawn for the values of an attribute."""
        return self.run(
            "return [...document.querySelectorAll('#boxes .given.box')]"
            ".filter((box) => box.dataset.attribute === arguments[0]).length", name)

    def stored(self):
        """What the browser keeps of the page."""
        return self.run("return Object.entries(localStorage).filter(([key]) =>"
                        " key.startsWith('trommel-annotate/shop.example/'))")

    def errors(self):
        return [entry for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE"]

    def import_lines(self, lines):
        file = WORK / "import.jsonl"
        file.write_text("".join(
            (line if isinstance(line, str) else json.dumps(line)) + "\n"
            for line in lines), encoding="utf-8")
        self.run("document.getElementById('file').hidden = false")
        self.driver.find_element("id", "file").send_keys(str(file))
        self.wait("document.getElementById('toast').textContent"
                  ".startsWith('Imported') || document.getElementById('dialog').open")
        self.run("document.getElementById('file').hidden = true")


def line(url, attribute, value, path, **more):
    return {"url": url, "attribute": attribute, "value": value,
            "xpath": f"/html[1]/body[1]{path}", **more}


class AnnotatePageTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.browser = BROWSER
        BROWSER.driver.get("about:blank")

    def fresh(self, file):
        """Opens a page for which the browser has kept nothing."""
        self.browser.driver.get(file.as_uri())
        self.browser.wait("document.body.dataset.shown")
        self.browser.run("localStorage.clear()")
        self.browser.driver.refresh()
        self.browser.shown(0)

    def test_annotates_exports_and_imports(self):
        browser = self.browser
        file = books_and_hostile()
        self.fresh(file)
        first, second, third = URLS

        # Page 1. A click gives a value and moves on; several values for
        # "author", where a second click takes the value back.
        self.assertEqual(browser.current(), "title")
        browser.click("The First Book")
        self.assertEqual(browser.values("title"), ["The First Book"])
        self.assertEqual(browser.current(), "author")
        browser.click("Bob Writer")
        browser.click("Ann Author")
        self.assertEqual(browser.values("author"), ["Ann Author", "Bob Writer"])
        browser.click("Ann Author")
        self.assertEqual(browser.values("author"), ["Bob Writer"])
        browser.keys("u")
        self.assertEqual(browser.values("author"), ["Ann Author", "Bob Writer"])
        # A part of a text by dragging.
        browser.keys(Keys.ARROW_DOWN)
        self.assertEqual(browser.current(), "price")
        browser.drag("Our Price", "$25.99")
        self.assertEqual(browser.values("price"), ["$25.99"])
        # A picture.
        self.assertEqual(browser.current(), "picture")
        browser.move(browser.picture()).click().perform()
        self.assertEqual(browser.values("picture"), ["/covers/1.jpg"])
        # A value of several texts: widened after the click.
        self.assertEqual(browser.current(), "address")
        browser.click("12 Main St")
        self.assertEqual(browser.values("address"), ["12 Main St"])
        browser.keys("w")
        self.assertEqual(browser.values("address"), ["12 Main St Springfield"])
        browser.chord(Keys.SHIFT, "w")
        self.assertEqual(browser.values("address"), ["12 Main St"])
        browser.keys("w")
        # Absent; undone and done again.
        self.assertEqual(browser.current(), "isbn")
        browser.keys("a")
        self.assertEqual(browser.values("isbn"), ["not on this page"])
        browser.chord(Keys.CONTROL, "z")
        self.assertEqual(browser.values("isbn"), [])
        browser.keys("r")
        self.assertEqual(browser.values("isbn"), ["not on this page"])
        self.assertEqual(
            browser.run("return document.getElementById('page-state').textContent"),
            "complete")

        # Page 2: a word by Shift+click, "not this", widened before the click,
        # a value removed.
        browser.keys(Keys.ARROW_RIGHT)
        browser.shown(1)
        self.assertEqual(browser.current(), "title")
        browser.point("Old edition")
        browser.keys("n")
        self.assertEqual(browser.values("title"),
                         ["Old edition: Another Book, first print"])
        browser.click("Another Book")
        browser.keys("3")
        browser.shift_click("Our Price", "$7.50")
        self.assertEqual(browser.values("price"), ["$7.50"])
        browser.keys("5")
        browser.point("Springfield")
        browser.keys("w")
        browser.click("Springfield")
        self.assertEqual(browser.values("address"), ["12 Main St Springfield"])
        browser.keys("6")
        browser.click("Home")
        self.assertEqual(browser.values("isbn"), ["Home"])
        browser.keys("6", Keys.DELETE)
        self.assertEqual(browser.values("isbn"), [])
        # What the first page has in the same place, parts included.
        browser.keys("2", "y")
        self.assertEqual(browser.values("author"), ["Cid Poet", "Dee Essay"])

        # Page 3: all suggestions at once.
        browser.keys(Keys.ARROW_RIGHT)
        browser.shown(2)
        browser.chord(Keys.SHIFT, "y")
        self.assertEqual(browser.values("price"), ["$3.00"])
        # The second cluster is not wanted.
        browser.keys("]")
        browser.shown(3)
        browser.keys("s")

        expected = [
            line(first, "title", "The First Book", "/h1[1]/text()[1]"),
            line(first, "author", "Ann Author", "/p[1]/span[1]/text()[1]"),
            line(first, "author", "Bob Writer", "/p[1]/span[2]/text()[1]"),
            line(first, "price", "$25.99", "/p[2]/text()[1]"),
            line(first, "picture", "/covers/1.jpg", "/img[1]/@src"),
            line(first, "address", "12 Main St Springfield", "/address[1]"),
            {"url": first, "attribute": "isbn", "absent": True},
            line(second, "title", "Old edition: Another Book, first print",
                 "/p[3]/text()[1]", negative=True),
            line(second, "title", "Another Book", "/h1[1]/text()[1]"),
            line(second, "author", "Cid Poet", "/p[1]/span[1]/text()[1]"),
            line(second, "author", "Dee Essay", "/p[1]/span[2]/text()[1]"),
            line(second, "price", "$7.50", "/p[2]/text()[1]"),
            line(second, "address", "12 Main St Springfield", "/address[1]"),
            line(third, "title", "Third Book", "/h1[1]/text()[1]"),
            line(third, "author", "Eve Novel", "/p[1]/span[1]/text()[1]"),
            line(third, "author", "Fay Story", "/p[1]/span[2]/text()[1]"),
            line(third, "price", "$3.00", "/p[2]/text()[1]"),
            line(third, "picture", "/covers/3.jpg", "/img[1]/@src"),
            line(third, "address", "12 Main St Springfield", "/address[1]"),
            {"url": OTHER_URL, "skip": True},
        ]
        exported = browser.export()
        # Whoever reads annotations accepts them, XPaths included.
        subprocess.run([CHECKER, WORK / "shop.json",
                        DOWNLOADS / "shop.example.jsonl"], check=True)
        self.assertEqual(exported, expected)

        # The browser keeps the state.
        browser.driver.refresh()
        browser.wait("document.body.dataset.shown")
        self.assertEqual(browser.export(), expected)
        self.assertIn("saved", browser.run(
            "return document.getElementById('saved').textContent"))

        # What was exported comes back by import.
        self.fresh(file)
        self.assertEqual(browser.values("title"), [])
        browser.import_lines(exported)
        self.assertEqual(browser.values("title"), ["The First Book"])
        self.assertEqual(browser.export(), expected)
        browser.keys("u")
        self.assertEqual(browser.values("title"), [])
        self.assertTrue(browser.run(
            "return document.getElementById('export').disabled"))

    def test_import_keeps_what_it_does_not_know(self):
        browser = self.browser
        self.fresh(books_and_hostile())
        first = URLS[0]
        unknown_url = {"url": "https://elsewhere.example/", "attribute": "title",
                       "value": "x"}
        unknown_attribute = {"url": first, "attribute": "colour", "value": "red"}
        browser.import_lines([
            {"url": first, "attribute": "title", "value": "The  First Book "},
            {"url": first, "attribute": "price", "value": "$25.99", "record": 2},
            {"url": first, "attribute": "picture", "value": "/covers/1.jpg"},
            {"url": first, "attribute": "isbn", "value": "nowhere"},
            unknown_url, "{not JSON", unknown_attribute, "", "{}"])
        report = browser.run("return document.getElementById('dialog').textContent")
        for part in ("Line 5 is of another page", "Line 6 is not JSON",
                     "Line 7 has an attribute that the schema does not have",
                     "Line 9 has no URL"):
            self.assertIn(part, report)
        browser.keys(Keys.ESCAPE)
        # Values without a path are found and drawn; where they were found is
        # neither kept nor exported.
        for name, boxes in (("title", 1), ("price", 1), ("picture", 1), ("isbn", 0)):
            self.assertEqual(browser.boxes(name), boxes, name)
        self.assertEqual(browser.lost(), ["nowhere"])
        self.assertIn("all exported", browser.export_text())
        expected = [
            {"url": first, "attribute": "title", "value": "The First Book"},
            {"url": first, "attribute": "price", "value": "$25.99", "record": 2},
            {"url": first, "attribute": "picture", "value": "/covers/1.jpg"},
            {"url": first, "attribute": "isbn", "value": "nowhere"},
            unknown_url, unknown_attribute]
        self.assertEqual(browser.export(), expected)
        before = browser.stored()
        browser.keys(Keys.ARROW_RIGHT)
        browser.shown(1)
        # The other pages have something in the same place as the only place.
        browser.keys("1", "y")
        self.assertEqual(browser.values("title"), ["Another Book"])
        browser.keys("u", Keys.ARROW_LEFT)
        browser.shown(0)
        self.assertEqual(browser.stored(), before)
        self.assertEqual(browser.export(), expected)

    def test_import_refuses_what_the_reader_refuses(self):
        browser = self.browser
        self.fresh(books_and_hostile())
        first = URLS[0]
        title = {"url": first, "attribute": "title"}
        elsewhere = {"url": "https://elsewhere.example/", "attribute": "title"}
        bad = [
            {**title, "value": ""}, {**title, "value": " \t\u00a0"}, title,
            {**title, "value": 5}, {**title, "value": "x", "xpath": 5},
            {**title, "value": "x", "negative": "yes"},
            {**title, "value": "x", "record": -1},
            {**title, "value": "x", "record": 1.5},
            {**title, "value": "x", "absent": True},
            {**title, "skip": True}, {**title, "value": "x", "attribute": ""},
            {**title, "value": "\ud800"}, {**elsewhere, "value": ""},
            json.dumps({**elsewhere, "value": "x"})[:-1] + ',"more":1e999}',
            {**title, "value": "\u200b\u00a0"},
            {**title, "value": "x", "more": "x" * (1 << 20)}, [], "5"]
        good = [
            {**title, "value": "The First Book", "note": {"by": "me"}},
            {"url": first, "attribute": "isbn", "absent": True, "record": 1},
            {"url": first, "attribute": "isbn", "absent": True, "record": 2,
             "note": "no"}]
        browser.import_lines(bad + good)
        report = browser.run("return document.getElementById('dialog').textContent")
        self.assertIn("Imported 3 lines", report)
        self.assertIn(f"{len(bad)} lines not understood", report)
        for number in range(1, len(bad) + 1):
            self.assertIn(f"Line {number} ", report)
        self.assertIn("Line 1 has no value", report)
        browser.keys(Keys.ESCAPE)
        self.assertEqual(browser.export(), good)
        subprocess.run([CHECKER, WORK / "shop.json",
                        DOWNLOADS / "shop.example.jsonl"], check=True)
        # Taken back and given again, "absent" is the editor's own.
        browser.keys("6", "a", "6", "a")
        self.assertEqual(browser.export()[1:], [
            {"url": first, "attribute": "isbn", "absent": True}])

    def test_an_import_does_not_export_what_was_there(self):
        browser = self.browser
        self.fresh(books_and_hostile())
        browser.click("The First Book")
        self.assertEqual(browser.export_text(), "1 line, not exported yet")
        browser.import_lines([{"url": URLS[1], "attribute": "isbn", "absent": True}])
        self.assertEqual(browser.export_text(), "2 lines, not exported yet")

    def test_paths_of_any_form_are_kept(self):
        browser = self.browser
        file = books_and_hostile()
        self.fresh(file)
        first, second, _ = URLS
        paths = ["//h1/text()", "/", "//", "/html/body/h1", "h1", "id('x')",
                 "/html[1]//h1[1]", "/html[1]/body[1]/h1[0]",
                 "/html[1]/body[1]/h1[1]/text()[1]/@src", "/@src",
                 "/html[1]/body[1]/h1[1]/text()[1]/b[1]",
                 "//h1[contains(., 'a/b[1]')]", "/html[1]/body[1]/p[1]/text()[1]"]
        lines = [{"url": first, "attribute": "author", "value": "The First Book",
                  "xpath": path} for path in paths]
        lines += [{"url": second, "attribute": "title", "value": "Another Book",
                   "xpath": "//h1/text()"},
                  {"url": second, "attribute": "price", "value": "$7.50",
                   "xpath": "//p[@class='price']/text()", "negative": True}]
        browser.errors()
        browser.import_lines(lines)
        for _ in range(2):
            self.assertEqual(browser.values("author"), ["The First Book"] * len(paths))
            self.assertEqual(browser.lost(), [])
            self.assertEqual(browser.boxes("author"), len(paths))
            self.assertIn("all exported", browser.export_text())
            self.assertEqual(browser.export(), lines)
            browser.keys(Keys.ARROW_RIGHT)
            browser.shown(1)
            self.assertEqual(browser.boxes("title"), 1)
            browser.driver.refresh()
            browser.shown(0)
        self.assertEqual(browser.errors(), [])

    def test_a_damaged_state_opens(self):
        browser = self.browser
        file = books_and_hostile()
        self.fresh(file)
        browser.import_lines([{"url": URLS[0], "attribute": "title",
                               "value": "The First Book"}])
        key, text = browser.stored()[0]
        saved = json.loads(text)
        state = json.loads(saved["state"])
        values = [{"value": "The First Book", "xpath": "//"}, {"value": ""}, None, 5,
                  {"value": 7}, {"value": "Ann Author", "xpath": {}}, {"xpath": "/"}]
        state["pages"] = [[URLS[0], [["author", {"values": values}], ["price", None],
                                     ["isbn", {"values": 1, "absent": 1}], 3]], None]
        state["extra"] = [None]
        state["attributes"] = [None, {}]
        for damaged in (json.dumps({**saved, "state": json.dumps(state)}),
                        json.dumps({**saved, "state": "[]"}), "5", "{"):
            browser.driver.get("about:blank")
            browser.driver.get(file.as_uri())
            browser.run("localStorage.setItem(arguments[0], arguments[1])", key, damaged)
            browser.driver.refresh()
            browser.shown(0)
            self.assertTrue(browser.run(
                "return document.getElementById('loading').hidden"))
            if "Ann Author" in damaged:
                self.assertEqual(browser.export(), [
                    {"url": URLS[0], "attribute": "author", "value": "The First Book",
                     "xpath": "//"},
                    {"url": URLS[0], "attribute": "author", "value": "Ann Author"}])

    def test_a_page_that_cannot_be_shown_says_so(self):
        browser = self.browser
        file = books_and_hostile()
        self.fresh(file)
        text = file.read_text(encoding="utf-8")
        begin = text.index('class="tree">') + len('class="tree">')
        damaged = WORK / "damaged.html"
        damaged.write_text(text[:begin] + "AAAA" + text[begin + 4:], encoding="utf-8")
        browser.driver.get(damaged.as_uri())
        message = ("(({textContent, offsetHeight}) => offsetHeight > 0 &&"
                   " textContent.startsWith('The page cannot be shown'))"
                   "(document.getElementById('loading'))")
        browser.wait(message)
        browser.keys(Keys.ARROW_RIGHT)
        browser.shown(1)
        self.assertFalse(browser.run(f"return {message}"))
        # Also where it fails late.
        browser.run("Object.defineProperty(document.getElementById('pane'), 'scrollTop',"
                    " {set() { throw new Error('late'); }, get: () => 0})")
        browser.keys(Keys.ARROW_RIGHT)
        browser.wait(message)

    def test_values_are_whole_words(self):
        browser = self.browser
        page = """<body><p>15 reviews, <b>155</b></p><p>Rated 5 of 5.</p>
            <p>carts caf\u00e9</p><p>twice</p><div>twice</div><p>4<i>2</i></p>
            <address>12 Main St<br>Springfield</address></body>"""
        file = write_page("words", {"reviews": [(URLS[0], page)]})
        self.fresh(file)
        lines = [{"url": URLS[0], "attribute": name, "value": value}
                 for name, value in (("title", "15 reviews,"), ("author", "twice"),
                                     ("author", "1"), ("author", "caf"),
                                     ("author", "42"), ("price", "5"),
                                     ("address", "12 Main StSpringfield"),
                                     ("isbn", "art"))]
        browser.import_lines(lines)
        # "1" is not in "15", "art" not in "carts".
        self.assertEqual(browser.lost(), ["1", "caf", "art"])
        left, _, width, _ = browser.place("Rated", "5")
        boxes = browser.run("""
            const frame = document.querySelector('iframe').getBoundingClientRect();
            return [...document.querySelectorAll('#boxes .box')]
              .filter((box) => box.dataset.attribute === 'price')
              .map((box) => [box.offsetLeft + frame.left, box.offsetWidth]);""")
        self.assertEqual(len(boxes), 1)
        self.assertAlmostEqual(boxes[0][0], left - 2, delta=1.5)
        self.assertAlmostEqual(boxes[0][1], width + 4, delta=1.5)
        self.assertEqual(browser.boxes("address"), 1)
        self.assertEqual(browser.export(), lines)
        # A value with several places gets the one that is clicked.
        browser.keys("2")
        browser.run("document.getElementById('pane').scrollTop = 0")
        browser.click("twice")
        self.assertEqual(browser.values("author").count("twice"), 1)
        given = [entry for entry in browser.export() if entry["value"] == "twice"]
        self.assertEqual(given, [line(URLS[0], "author", "twice", "/p[4]/text()[1]")])

    def test_the_index_shows_progress(self):
        browser = self.browser
        file = books_and_hostile()
        index = WORK / "shop-index.html"
        cells = ("return [...document.querySelectorAll('tr')]"
                 ".map((row) => [...row.cells].map((cell) => cell.textContent))")
        self.fresh(file)
        browser.driver.get(index.as_uri())
        plain = [["Site", "Clusters", "Pages"], ["shop.example", "2", "4"],
                 ["other.example", "1", "1"]]
        self.assertEqual(browser.run(cells), plain)
        browser.open(file)
        browser.click("The First Book")
        browser.keys(Keys.ARROW_RIGHT)
        browser.shown(1)
        for key in "123456":
            browser.keys(key, "a")
        browser.driver.get(index.as_uri())
        # What a page stores reaches other processes of the browser in time.
        browser.wait("document.querySelector('td.progress')")
        self.assertEqual(browser.run(cells), [
            plain[0] + ["Annotated"], plain[1] + ["2 pages, 1 of 2 clusters done"],
            plain[2] + [""]])
        # It follows what another window changes.
        browser.driver.switch_to.new_window("tab")
        browser.open(file, page=0)
        browser.keys("]")
        browser.shown(3)
        browser.keys("s")
        browser.driver.close()
        browser.driver.switch_to.window(browser.driver.window_handles[0])
        browser.wait("document.querySelector('td.progress.done')?.textContent"
                     " === '2 pages, 2 of 2 clusters done'")
        # Nothing shows where nothing can be read.
        browser.run("localStorage.clear();"
                    "localStorage.setItem(document.querySelector('tr[data-key]')"
                    ".dataset.key, '{')")
        browser.errors()
        browser.driver.refresh()
        self.assertEqual(browser.run(cells), plain)
        self.assertEqual(browser.errors(), [])

    def test_names_attributes_without_a_schema(self):
        browser = self.browser
        self.fresh(write_page("free", {"books": [
            (URLS[0], BOOK.format(**BOOKS[0]))]}, schema=False))
        browser.driver.find_element("id", "add-name").send_keys(
            "book title", Keys.ENTER)
        browser.click("The First Book")
        # The title of the page stands above it.
        browser.driver.find_element("id", "add-name").send_keys(
            "page", Keys.ENTER)
        browser.driver.find_element("id", "page-title").click()
        self.assertEqual(browser.export(), [
            line(URLS[0], "book_title", "The First Book", "/h1[1]/text()[1]"),
            {"url": URLS[0], "attribute": "page", "value": "The First Book | Shop",
             "xpath": "/html[1]/head[1]/title[1]/text()[1]"}])

    def test_a_hostile_page_neither_runs_nor_loads(self):
        browser = self.browser
        # The server counts.
        urllib.request.urlopen(SERVER.url + "/control").read()
        self.assertEqual(SERVER.paths, ["/control"])
        SERVER.paths.clear()
        file = books_and_hostile()
        self.fresh(file)
        browser.keys("]")
        browser.shown(3)
        for text in ("Harmless text", "Script link", "Plain link", "Svg text",
                     "Send the form", "Summary", "cell", "cover", "Object text",
                     "Applet text"):
            browser.click(text)
            self.assertEqual(browser.run(
                "return document.getElementById('status-value').textContent"
                ".includes(arguments[0])", text), True, text)
        browser.point("Object text")
        self.assertTrue(browser.run(
            "return document.getElementById('status-path').title").endswith(
                "/object[1]/text()[1]"))
        browser.keys("h", Keys.TAB, " ")
        browser.shown(3)
        time.sleep(0.7)
        self.assertEqual(SERVER.paths, [])
        self.assertEqual(browser.driver.current_url, file.as_uri())
        self.assertEqual(len(browser.driver.window_handles), 1)
        self.assertEqual(browser.run("""
            const page = document.querySelector('iframe').contentDocument;
            return [window.pwned, page.defaultView.pwned, document.title, page.title,
                    document.querySelectorAll('iframe').length];"""),
            [None, None, "shop.example: annotate", "", 1])
        acting = browser.run("""
            const page = document.querySelector('iframe').contentDocument;
            return [...page.querySelectorAll('*')].filter((element) =>
              ['script', 'iframe', 'img', 'form', 'input', 'button', 'link', 'base',
               'object', 'applet', 'embed', 'svg', 'video', 'audio', 'x-y'].includes(element.localName)
              || [...element.attributes].some(({name}) => name.startsWith('on') ||
                 ['href', 'src', 'srcset', 'action', 'background', 'ping'].includes(name)))
              .map((element) => element.outerHTML.slice(0, 100));""")
        self.assertEqual(acting, [])
        # The policy has nothing to hold back: no style has an address.
        styles = browser.run("""
            const page = document.querySelector('iframe').contentDocument;
            return [...page.querySelectorAll('style')].map((style) => style.textContent)
              .concat([...page.querySelectorAll('[style]')]
                .map((element) => element.getAttribute('style'))).join('\\n');""")
        self.assertIn("--kept", styles)
        self.assertIn("--x", styles)
        self.assertNotIn(SERVER.url, styles)
        self.assertEqual(browser.errors(), [])
        self.assertEqual(browser.run(
            "return document.querySelector('iframe').getAttribute('sandbox')"),
            "allow-same-origin")
        # The plain page has nothing of the page's styles.
        browser.keys("p")
        browser.shown(3)
        self.assertEqual(browser.run(
            "const page = document.querySelector('iframe').contentDocument;"
            "return [page.querySelectorAll('style').length,"
            " page.querySelectorAll('[style*=\"--x\"], [style*=fixed]').length]"),
            [1, 0])
        # Scripts do not run in the frame even when there are some.
        browser.run("""
            const page = document.querySelector('iframe').contentDocument;
            const script = page.createElement('script');
            script.textContent = 'parent.pwned = 1';
            page.body.append(script);
            const image = page.createElement('img');
            image.src = arguments[0] + '/late.png';
            page.body.append(image);""", SERVER.url)
        time.sleep(0.3)
        self.assertEqual(browser.run("return window.pwned"), None)
        self.assertEqual(SERVER.paths, [])

    def test_opens_twenty_large_pages(self):
        browser = self.browser
        rows = []
        while sum(map(len, rows)) < 290_000:
            i = len(rows)
            rows.append(
                f'<div class="row r{i % 7}" id="row{i}"><h3><a href="/item/{i}">Item '
                f'number {i * 7919 % 10007}</a></h3><p>Costs <b>${i * 31 % 977}.99'
                f'</b>, <i>{i * 13 % 101} left</i></p><ul><li>red {i}</li>'
                f'<li>green {i * 3}</li></ul></div>\n')
        members = []
        for number in range(20):
            body = BOOK.format(number=number, title=f"Book {number}", author1="A",
                               author2="B", price=f"${number}.50")
            members.append((f"https://shop.example/book/{number}",
                            body.replace("</body>", "".join(rows) + "</body>")))
        file = write_page("large", {"books": members})
        # By the page's own clock, which begins when it is asked for; the fastest
        # of three, for other work on the machine delays single ones.
        in_page = []
        for _ in range(3):
            browser.driver.get("about:blank")
            began = time.monotonic()
            browser.open(file)
            opened = time.monotonic() - began
            self.assertLess(opened, 10)
            in_page.append(browser.run(
                "return performance.getEntriesByName('shown')[0].startTime") / 1000)
        self.assertLess(min(in_page), 2)
        began = time.monotonic()
        for page in range(1, 6):
            browser.keys(Keys.ARROW_RIGHT)
            browser.shown(page)
        turned = (time.monotonic() - began) / 5
        self.assertLess(turned, 5)
        # The pointer moves over the page: what a frame of the screen costs.
        moved = browser.driver.execute_async_script("""
            const finish = arguments[0];
            const overlay = document.getElementById('overlay');
            const {left, top} = document.getElementById('pane').getBoundingClientRect();
            const times = [];
            let count = 0;
            const move = () => {
              const began = performance.now();
              overlay.dispatchEvent(new PointerEvent('pointermove', {bubbles: true,
                clientX: left + 60, clientY: top + 40 + 5 * count}));
              requestAnimationFrame(() => {
                times.push(performance.now() - began);
                if (++count < 100) move(); else finish(times.sort((a, b) => a - b));
              });
            };
            move();""")
        clicks = []
        for number in (1, 2, 3):
            browser.keys(str(number))
            began = time.monotonic()
            browser.click("Book 5")
            clicks.append(time.monotonic() - began)
        # Values that the page does not have are looked for once.
        browser.import_lines([
            {"url": members[5][0], "attribute": "author",
             "value": f"Item number nowhere {i}"} for i in range(50)])
        self.assertEqual(len(browser.lost()), 50)
        drawn = browser.run("""
            const times = [];
            for (let i = 0; i < 9; ++i) {
              const began = performance.now();
              document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown'}));
              times.push(performance.now() - began);
            }
            return times.sort((a, b) => a - b);""")
        self.assertLess(drawn[4], 200)
        print(f"20 pages of {len(members[0][1]) // 1000} KB, a file of "
              f"{file.stat().st_size // 1000} KB: opened in {opened:.2f} s "
              f"(by the page's clock {min(in_page):.2f} s), next page "
              f"{turned * 1000:.0f} ms, pointer {moved[50]:.1f} ms a move, "
              f"at worst {moved[-1]:.1f} ms, click {max(clicks) * 1000:.0f} ms "
              f"with the driver's own time, drawn with 50 lost values in "
              f"{drawn[4]:.0f} ms", flush=True)


if __name__ == "__main__":
    if webdriver is None or not shutil.which("chromium") or not shutil.which(
            "chromedriver"):
        print("SKIPPED: THE ANNOTATION PAGE IS NOT TESTED. It needs the packages "
              "chromium, chromium-driver and python3-selenium (deploy/setup).",
              flush=True)
        sys.exit(77)
    WRITER = pathlib.Path(sys.argv[1]).resolve()
    CHECKER = pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        WORK = pathlib.Path(directory)
        DOWNLOADS = WORK / "downloads"
        DOWNLOADS.mkdir()
        SERVER = Server()
        BROWSER = Browser()
        try:
            result = unittest.main(argv=sys.argv[:1] + sys.argv[4:], exit=False,
                                   verbosity=2).result
        finally:
            BROWSER.driver.quit()
    sys.exit(0 if result.wasSuccessful() else 1)
