#!/usr/bin/env python3
"""browser_test.py WRITE_MONITOR_PAGE: the report of `trommel monitor` in
Chromium, from a file: URL. Exits with 77, which ctest counts as skipped, where
there is no Chromium."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

SITES = 500


def open_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--window-size=1300,900",
                     f"--user-data-dir={WORK}/profile"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(
        options=options, service=Service(shutil.which("chromedriver")))


class MonitorPage(unittest.TestCase):
    def setUp(self):
        BROWSER.get(PAGE.as_uri())

    def run_script(self, script, *arguments):
        return BROWSER.execute_script(script, *arguments)

    def shown(self, target):
        """The texts of the rows or cards that are not filtered out."""
        return self.run_script("""
            const target = document.getElementById(arguments[0]);
            return [...(target.tBodies?.[0]?.rows ?? target.children)]
              .filter((item) => item.offsetParent !== null)
              .map((item) => item.textContent);""", target)

    def type_filter(self, target, text):
        self.run_script("""
            const input = document.querySelector(
              `[data-filters=${arguments[0]}] input`);
            input.value = arguments[1];
            input.dispatchEvent(new Event('input'));""", target, text)

    def press(self, target, tag):
        self.run_script("""
            document.querySelector(
              `[data-filters=${arguments[0]}] [data-tag=${arguments[1]}]`
            ).click();""", target, tag)

    def test_nothing_of_the_crawl_runs_or_loads(self):
        self.run_script("""
            document.querySelectorAll('details').forEach((d) => d.open = true);
            document.querySelectorAll('*').forEach((e) =>
              e.dispatchEvent(new MouseEvent('mouseover', {bubbles: true})));""")
        self.assertIsNone(self.run_script("return window.pwned ?? null"))
        self.assertEqual(self.run_script(
            "return document.querySelectorAll('img, iframe, link').length"), 0)
        self.assertEqual(self.run_script(
            "return document.querySelectorAll('script').length"), 1)
        self.assertEqual(self.run_script(
            "return performance.getEntriesByType('resource').length"), 0)
        self.assertEqual([entry for entry in BROWSER.get_log("browser")
                          if entry["level"] == "SEVERE"], [])

    def test_sites_by_severity_and_filters(self):
        rows = self.shown("site-list")
        self.assertEqual(len(rows), SITES)
        order = [next(i for i, state in enumerate(
            ("changed", "broken", "unknown", "fine"))
            if state in row.replace(" broken,", "")) for row in rows]
        self.assertEqual(order, sorted(order))
        self.press("site-list", "unknown")
        self.assertEqual(len(self.shown("site-list")), SITES // 10)
        self.type_filter("site-list", "site12.example")
        self.assertEqual(len(self.shown("site-list")), 1)
        self.press("site-list", "unknown")
        self.type_filter("site-list", "")
        self.assertEqual(len(self.shown("site-list")), SITES)

    def test_broken_rules_with_an_example(self):
        cards = self.shown("broken-rules")
        self.assertEqual(len(cards), SITES // 5)
        self.press("broken-rules", "signature")
        self.assertEqual(len(self.shown("broken-rules")), SITES // 10)
        self.press("broken-rules", "signature")
        self.type_filter("broken-rules", "site10.example")
        card, = self.shown("broken-rules")
        for text in ("signature changed 10 of 10", "wrong extraction 10 of 10",
                     "null extraction 0 of 10", "wrong: title 10", "Title 0",
                     "<script>", "http://site10.example/p/0"):
            self.assertIn(text, card)

    def test_the_rest(self):
        text = self.run_script("return document.body.textContent")
        for part in ("none of the rule's 10 bellwethers is a page of the crawl",
                     "filled: 100% before, 40% after",
                     "trommel cluster '--crawl=crawl $(touch pwned)'",
                     "'--sites=out dir/flagged_sites.txt'"):
            self.assertIn(part, text)

    def test_nothing_is_cut_off_on_a_narrow_screen(self):
        BROWSER.set_window_size(500, 900)
        try:
            wider = self.run_script("""
                return document.documentElement.scrollWidth -
                  document.documentElement.clientWidth""")
        finally:
            BROWSER.set_window_size(1300, 900)
        self.assertLessEqual(wider, 0)


if __name__ == "__main__":
    if webdriver is None or not shutil.which("chromium") or not shutil.which(
            "chromedriver"):
        print("SKIPPED: THE REPORT OF MONITOR IS NOT TESTED. It needs the "
              "packages chromium, chromium-driver and python3-selenium "
              "(deploy/setup).", flush=True)
        sys.exit(77)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        WORK = pathlib.Path(directory)
        PAGE = WORK / "report.html"
        subprocess.run([sys.argv[1], PAGE, str(SITES)], check=True)
        BROWSER = open_browser()
        try:
            result = unittest.main(argv=sys.argv[:1], exit=False,
                                   verbosity=2).result
        finally:
            BROWSER.quit()
    sys.exit(0 if result.wasSuccessful() else 1)
