"""What happens to the sites of accidents.py, as a table of small classes.

An event happens to a site (or, with `is_of_pipeline`, to the crawl of a
pipeline) from its `first` night on for some `nights`. It may change which pages
there are (`window`), the design of each (`design`), and what is served
(`serve`). Whether it did harm is measured and not said here. With
--more-events=FILE.py accidents.py takes further ones: a Python file with
classes derived from Event in a list called EVENTS.
"""
import functools
import random

import accident_pages
import accident_web

# How long after a lasting change its alerts are about it.
AFTERMATH = 7

BLOCKED = {"site_blocked", "site_missing", "records_drop", "coverage_drop"}
MISSING = {"site_missing", "records_drop", "crawl_missing", "site_blocked"}
CHANGED = {"site_changed", "rule_broken", "rule_withheld", "rule_withdrawn",
           "coverage_drop", "needs_annotation", "records_drop", "fill_drop",
           "values_changed"}


class Event:
    """Derive from it; every hook is a function of its arguments alone."""
    kind = ""             # what the table calls it
    nights = (1, 1)       # lasts at least and at most so many
    fitting = CHANGED     # kinds of alert that notice it
    lasts = False         # goes on after its nights: nothing comes back
    is_harmless = False   # must raise nothing
    is_of_pipeline = False

    def __init__(self, seed, site, first, nights):
        """`site` is an accident_web.Site; of a pipeline's event, None."""
        self.site, self.first, self.num_nights = site, first, nights
        self.seed = f"{seed}/{self.kind}/{site and site.name}/{first}"
        self.rng = random.Random(self.seed)
        self.choose()

    def choose(self):
        """Draws what is particular to this one, from self.rng."""

    @classmethod
    def fits(cls, site, design):
        """Whether it may happen to a site that has this design by then."""
        del site, design
        return True

    def change(self):
        """The change of design that stays after it; None."""
        return None

    @property
    def last(self):
        return self.first + self.num_nights - 1

    @property
    def returns(self):
        return not self.lasts

    def is_active(self, night):
        """Whether it is at work."""
        return self.first <= night and (self.lasts or night <= self.last)

    def is_recent(self, night):
        """Whether what is said on this night may be about it."""
        after = AFTERMATH if self.lasts else 0
        return self.first <= night <= self.last + after

    def hits(self, url, share):
        """Whether a page is among a share of all; the same on every night."""
        return accident_web.share_of(self.seed, url) < share

    def window(self, night, shift, factor):
        del night
        return shift, factor

    def design(self, night, url, template, design):
        del night, url, template
        return design

    def serve(self, night, pages):
        del night
        return pages


# Values that go.

@functools.lru_cache(maxsize=None)
def common_optional(site):
    """Optional attributes that most pages have as texts that can be removed."""
    pages = [site.page(url, ()) for template, urls in site.templates.items()
             for url in urls[:4]]
    pages = [page for page in pages if page.truth]
    return [name for name in accident_web.optional_attributes(site.vertical)
            if sum(can_lose(page, name) for page in pages) > 0.6 * len(pages)]


def can_lose(page, name):
    return bool(page.truth.get(name)) and accident_pages.without_attribute(
        page, name, True).truth.get(name) == []


class AttributeLost(Event):
    kind = "attribute lost"
    nights = (1, 3)
    fitting = {"fill_drop", "values_changed", "records_drop", "rule_broken",
               "site_changed"}
    shares = (0.1, 0.3, 0.6, 0.8, 1.0)

    @classmethod
    def fits(cls, site, design):
        return bool(common_optional(site))

    def choose(self):
        self.attribute = self.rng.choice(common_optional(self.site))
        self.with_label = self.rng.random() < 0.5
        self.share = self.rng.choice(self.shares)
        self.cache = {}

    def share_on(self, night):
        del night
        return self.share

    def serve(self, night, pages):
        return [self.lose(page) if page.truth and
                self.hits(page.url, self.share_on(night)) else page
                for page in pages]

    def lose(self, page):
        key = page.url, page.content
        if key not in self.cache:
            self.cache[key] = accident_pages.without_attribute(
                page, self.attribute, self.with_label)
        return self.cache[key]


class SlowDrift(AttributeLost):
    kind = "slow drift"
    nights = (20, 30)
    lasts = True
    is_harmless = True

    def share_on(self, night):
        return 0.01 * min(night - self.first + 1, self.num_nights)


# Pages that are none of the site's.

class Wall(Event):
    """A wall before bots, of one of several makes, with status 200."""
    kind = "wall"
    nights = (1, 5)
    fitting = BLOCKED

    def choose(self):
        self.text = self.rng.choice(accident_pages.WALLS)
        self.share = self.rng.choice([1.0, 1.0, 1.0, 0.6])

    def serve(self, night, pages):
        return [self.wall(night, page) if self.hits(page.url, self.share)
                else page for page in pages]

    def wall(self, night, page):
        return accident_pages.wall(
            page, self.text, random.Random(f"{self.seed}/{night}/{page.url}"))


class ErrorPages(Event):
    """Errors with status 200: bare ones, or in the site's own frame."""
    kind = "error pages"
    nights = (1, 3)
    fitting = BLOCKED | {"fill_drop"}

    def choose(self):
        self.text = self.rng.choice(accident_pages.ERRORS)
        self.is_framed = self.rng.random() < 0.5
        self.share = self.rng.choice([0.3, 0.7, 1.0])

    def serve(self, night, pages):
        return [self.error(page) if self.hits(page.url, self.share) else page
                for page in pages]

    def error(self, page):
        if self.is_framed:
            return accident_pages.framed_error(page, self.text)
        return accident_pages.bare_error(page, self.text)


class Unavailable(Event):
    """HTTP status 503."""
    kind = "status 503"
    nights = (1, 3)
    fitting = MISSING

    def choose(self):
        self.share = self.rng.choice([0.6, 1.0])

    def serve(self, night, pages):
        return [accident_pages.bare_error(page, "503 Service Unavailable", 503)
                if self.hits(page.url, self.share) else page for page in pages]


# Pages that are not there.

class HalfCrawl(Event):
    kind = "half a crawl"
    fitting = MISSING | {"coverage_drop"}

    def serve(self, night, pages):
        return [page for page in pages if self.hits(page.url, 0.45)]


class Vanished(Event):
    kind = "site vanished"
    nights = (1, 5)
    fitting = MISSING

    def serve(self, night, pages):
        return []


class EmptyCrawl(Event):
    """The crawl of a night has no row."""
    kind = "empty crawl"
    is_of_pipeline = True
    fitting = MISSING | {"stage_failed"}

    def serve(self, night, pages):
        return []


class CutCrawl(Event):
    """The crawl of a night lacks most pages of all sites."""
    kind = "cut crawl"
    is_of_pipeline = True
    fitting = MISSING | {"stage_failed", "coverage_drop"}

    def serve(self, night, pages):
        return [page for page in pages if self.hits(page.url, 0.4)]


# Designs.

class Change(Event):
    """A change of design that stays."""
    lasts = True
    name = ""

    @classmethod
    def fits(cls, site, design):
        return cls.name not in design and site.can_change(cls.name)

    def change(self):
        return self.name

    def design(self, night, url, template, design):
        return design + (self.name,)


def change_class(name, kind):
    return type(name, (Change,), {"kind": kind, "name": name})


class DesignForSomeNights(Event):
    """Another design on a share of the pages, and then the old one again."""
    changes = ["redesign"]
    share = 1.0

    @classmethod
    def fits(cls, site, design):
        return any(site.can_change(name) and name not in design
                   for name in cls.changes)

    def choose(self):
        # Which changes the site has had is only known on the night.
        self.order = [name for name in self.changes
                      if self.site.can_change(name)]
        self.rng.shuffle(self.order)

    def design(self, night, url, template, design):
        name = next((name for name in self.order if name not in design), None)
        if name is None or not self.hits(url, self.share):
            return design
        return design + (name,)


class BadNight(DesignForSomeNights):
    kind = "bad night"
    changes = ["redesign", "class_rename", "section_moved", "label_changed"]


class TemplateForANight(DesignForSomeNights):
    kind = "template, one night"
    changes = ["template"]


class HalfRollOut(DesignForSomeNights):
    kind = "half-finished roll-out"
    nights = (2, 4)
    changes = ["redesign", "class_rename", "wrapper_added"]
    share = 0.5


class RollOut(Change):
    """The new design on half of the pages at first, on all in the end."""
    kind = "roll-out in two steps"
    nights = (2, 4)
    name = "redesign"

    def design(self, night, url, template, design):
        if night <= self.last and not self.hits(url, 0.5):
            return design
        return design + (self.name,)


# What no one should be told of.

class Doubling(Event):
    kind = "doubling"
    lasts = True
    is_harmless = True

    def window(self, night, shift, factor):
        return shift, 2 * factor


class Turnover(Event):
    """One page in forty is another one every night."""
    kind = "pages turn over"
    nights = (10, 20)
    lasts = True
    is_harmless = True

    def window(self, night, shift, factor):
        return (shift + 0.025 * min(night - self.first + 1, self.num_nights),
                factor)


EVENTS = [
    AttributeLost, SlowDrift, Wall, ErrorPages, Unavailable, HalfCrawl,
    Vanished, EmptyCrawl, CutCrawl, change_class("redesign", "redesign"),
    change_class("template", "template replaced"),
    change_class("class_rename", "class rename"),
    change_class("label_changed", "label change"),
    change_class("wrapper_added", "wrapper added"),
    change_class("section_moved", "section moved"),
    change_class("attribute_removed", "ids removed"), BadNight,
    TemplateForANight, HalfRollOut, RollOut, Doubling, Turnover,
]
