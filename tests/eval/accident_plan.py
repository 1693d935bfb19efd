"""What happens when to the sites of a pipeline, planned by a seed, and the
pages that each night then has."""
import random
import sys


class Plan:
    """What happens to the sites of one pipeline, and what each night has."""

    QUIET = 4  # nights without an event at the beginning
    GAP = 3    # nights between the events of a site

    def __init__(self, options, vertical, sites, classes):
        self.sites = sites
        self.nights = options.nights
        self.rng = random.Random(f"{options.seed}/{vertical}")
        self.seed = options.seed
        self.events = []
        self.place_all(classes, options.events)

    def of_site(self, site, night=None):
        """The events that a site has, in their order."""
        found = [event for event in self.events if event.site in (site, None)]
        if night is not None:
            found = [event for event in found if event.is_active(night)]
        return sorted(found, key=lambda event: (
            event.is_of_pipeline, event.first, event.kind))

    def place_all(self, classes, per_site):
        """Every kind in turn, the long ones first, which need most room."""
        classes = [one for one in classes if one.is_of_pipeline or
                   any(one.fits(site, ()) for site in self.sites)]
        wanted = []
        while classes and len(wanted) < per_site * len(self.sites):
            wanted += self.rng.sample(classes, len(classes))
        wanted = wanted[:round(per_site * len(self.sites))]
        wanted.sort(key=lambda one: (-one.nights[1], one.kind))
        placed = [self.place(one) for one in wanted]
        if not all(placed):
            print(f"there was no room for {placed.count(False)} of "
                  f"{len(placed)} events", file=sys.stderr)

    def place(self, event_class):
        low, high = event_class.nights
        for _ in range(100):
            nights = self.rng.randint(low, high)
            site = None if event_class.is_of_pipeline else self.rng.choice(
                self.sites)
            latest = self.nights - nights - 1
            if latest < self.QUIET:
                continue
            first = self.rng.randint(self.QUIET, latest)
            if self.is_free(event_class, site, first, first + nights - 1):
                self.events.append(event_class(self.seed, site, first, nights))
                return True
        return False

    def is_free(self, event_class, site, first, last):
        for event in self.events:
            if site is not None and event.site not in (site, None):
                continue
            if (first <= event.last + self.GAP and
                    event.first <= last + self.GAP and
                    not event_class.is_of_pipeline):
                return False
            if event_class.is_of_pipeline and event.is_of_pipeline and (
                    abs(event.first - first) <= self.GAP):
                return False
        changes = tuple(
            event.change() for event in self.events
            if event.site is site and event.change())
        return event_class.is_of_pipeline or event_class.fits(site, changes)

    def served(self, site, night, without=()):
        """The pages of a site on a night; `without` leaves events out."""
        events = [event for event in self.of_site(site, night)
                  if event not in without]
        shift, factor = site.turnover * night, 1
        for event in events:
            shift, factor = event.window(night, shift, factor)
        pages = []
        for template, url in site.window(shift, factor):
            design = ()
            for event in events:
                design = event.design(night, url, template, design)
            pages.append(site.page(url, design))
        for event in events:
            pages = event.serve(night, pages)
        return pages
