#!/usr/bin/env python3
"""browser_test.py TROMMEL: report.html of `trommel coverage` in Chromium, from a
file: URL. Exits with 77, which ctest counts as skipped, where there is no
Chromium."""

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

SPEC = """
seed: 41
start_date: "2026-01-01"
days: 4
site { host: "www.steady{n}.example" count: 6 vertical: "movie" pages: 30 }
site { host: "www.changed{n}.example" count: 3 vertical: "book" pages: 30
  change { kind: REDESIGN day: 2 } }
"""
WORK = pathlib.Path(tempfile.mkdtemp())
TROMMEL = None


def trommel(*arguments):
    subprocess.run([TROMMEL, *arguments], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (WORK / "spec.textproto").write_text(SPEC)
        trommel("generate", f"--spec={WORK}/spec.textproto", f"--out={WORK}/web")
        trommel("cluster", f"--crawl={WORK}/web/day=2026-01-01/crawl",
                f"--out={WORK}/clusters")
        trommel("coverage", f"--crawl={WORK}/web", f"--clusters={WORK}/clusters",
                f"--out={WORK}/out")
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu",
                         "--disable-dev-shm-usage", "--window-size=1400,900",
                         f"--user-data-dir={WORK}/profile"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.driver = webdriver.Chrome(
            options=options, service=Service(shutil.which("chromedriver")))

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()

    def setUp(self):
        self.driver.get(f"file://{WORK}/out/report.html")

    def run_script(self, script):
        return self.driver.execute_script(script)

    def shown(self):
        """The sites of the cards that are to be seen."""
        return self.run_script(
            "return [...document.querySelectorAll('.card')]"
            ".filter(c => c.getClientRects().length > 0)"
            ".map(c => c.querySelector('h3').textContent)")

    def filter(self, text):
        self.run_script(
            "const input = document.querySelector("
            "'[data-filters=site-cards] input');"
            f"input.value = {text!r};"
            "input.dispatchEvent(new Event('input'))")

    def test_nothing_is_asked_for_and_nothing_complained_of(self):
        self.assertEqual(self.driver.get_log("browser"), [])
        self.assertEqual(self.run_script(
            "return performance.getEntriesByType('resource').length"), 0)

    def test_every_site_has_a_chart_the_changed_ones_first(self):
        sites = self.shown()
        self.assertEqual(len(sites), 9)
        self.assertTrue(all("changed" in site for site in sites[:3]), sites)
        self.assertEqual(self.run_script(
            "return document.querySelectorAll('.card svg path.line').length"), 9)
        # Each change is marked where its day is.
        self.assertEqual(self.run_script(
            "return document.querySelectorAll('.card circle.mark').length"), 3)
        marks = self.run_script(
            "const r = e => e.getBoundingClientRect();"
            "return [...document.querySelectorAll('.card')].slice(0, 3).map(c => {"
            " const g = r(c.querySelector('path.grid'));"
            " const m = r(c.querySelector('circle.mark'));"
            " return [(m.left + m.width / 2 - g.left) / g.width,"
            "         m.bottom > g.top];})")
        for place, _ in marks:  # the third of four days
            self.assertAlmostEqual(place, 2 / 3, delta=0.02)

    def test_the_page_is_not_wider_than_the_window(self):
        for width in (1400, 800, 420):
            self.driver.set_window_size(width, 900)
            self.assertLessEqual(self.run_script(
                "return document.documentElement.scrollWidth - innerWidth"), 0)
        self.driver.set_window_size(1400, 900)

    def test_the_box_filters_sites(self):
        self.filter("steady")
        self.assertEqual(len(self.shown()), 6)
        self.filter("STEADY 2")
        self.assertTrue(all("steady" in site for site in self.shown()))
        self.filter("no such site")
        self.assertEqual(self.shown(), [])
        self.filter("")
        self.assertEqual(len(self.shown()), 9)

    def test_buttons_leave_sites_of_a_kind(self):
        click = ("document.querySelector("
                 "'[data-filters=site-cards] button[data-tag=changed]').click()")
        self.run_script(click)
        self.assertEqual(len(self.shown()), 3)
        self.assertEqual(self.run_script(
            "return document.querySelector('[data-filters=site-cards] output')"
            ".textContent"), "3 of 9")
        self.run_script(click)
        self.assertEqual(len(self.shown()), 9)

    def test_headings_sort_what_broke(self):
        column = ("return [...document.querySelectorAll('#broken-rows tbody th')]"
                  ".map(c => c.textContent)")
        click = ("document.querySelector('#broken-rows thead th:first-child "
                 "button').click()")
        self.run_script(click)
        rising = self.run_script(column)
        self.assertEqual(len(rising), 3)
        self.assertEqual(rising, sorted(rising))
        self.run_script(click)
        self.assertEqual(self.run_script(column), rising[::-1])

    def test_a_change_shows_a_page_before_and_after_and_what_to_do(self):
        self.run_script("document.querySelector('.card details').open = true")
        card = self.run_script(
            "return document.querySelector('.card').innerText")
        for text in ("Before, 2026-01-02", "After, 2026-01-03",
                     "://www.changed", "trommel reuse", "Copy"):
            self.assertIn(text, card)

    def test_dark_and_light(self):
        back = "return getComputedStyle(document.body).backgroundColor"
        seen = []
        for scheme in ("light", "dark"):
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-color-scheme", "value": scheme}]})
            seen.append(self.run_script(back))
        self.assertEqual(seen, ["rgb(255, 255, 255)", "rgb(21, 25, 29)"])


def main():
    global TROMMEL
    if webdriver is None or not shutil.which("chromium") or not shutil.which(
            "chromedriver"):
        print("no Chromium, chromedriver or python3-selenium")
        return 77
    TROMMEL = sys.argv.pop(1)
    try:
        return 0 if unittest.main(exit=False).result.wasSuccessful() else 1
    finally:
        shutil.rmtree(WORK, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
