"""What the nights of accidents.py came to: the oracle and the counts.

The oracle knows what a right rule of a night gives: the truth of the genuine
pages that were served, nothing of walls and errors, no value that was not on
the page that night. What learning did not get right on a quiet site is not the
nights' fault. So the rules that serve at the end of the quiet nights are run on
all pages that a site has, in its first design, and rules learnt in one quiet
night on every design that is hard to come to (`accident_web.HARD`) on the pages
in that design:

  could be had   a value of the night's truth that is right there (in both,
                 where the page has a hard design), a page that has a record
  lost           could be had and was not delivered (for values: or wrong)
  wrong          delivered and not the truth, and was not wrong there; every
                 value of a page without a record, of a wall or of an error

A value is right if it is one of the truth's, of a repeated attribute if all
are the same. What the truth does not mention is not judged.
"""
import collections
import dataclasses

import accident_web

# An event is harmful when of some attribute of a site people get so much less
# that is right than they would on a quiet night, whoever is to blame.
HARM_SHARE, HARM_LEAST_VALUES = 0.45, 8
# A site is down when so much is lost or wrong.
BAD_LOST, BAD_WRONG = 0.1, 0.02
# A site is fine when no more is lost or wrong than this share, or one value.
FINE = 0.01


def texts_of(value):
    if value is None:
        return []
    values = value if isinstance(value, list) else [value]
    return [accident_web.normal(text) for text in values
            if accident_web.normal(text)]


def verdict(delivered, truth, is_repeated):
    """"right", "wrong" or "missing"; nothing is right where nothing is true."""
    delivered = texts_of(delivered)
    truth = {accident_web.normal(value) for value in truth}
    if not delivered:
        return "missing" if truth else "right"
    is_right = (set(delivered) == truth if is_repeated
                else len(delivered) == 1 and delivered[0] in truth)
    return "right" if is_right else "wrong"


@dataclasses.dataclass
class Score:
    """Counts of a site's night; they add up."""
    had_records: int = 0
    lost_records: int = 0
    had_values: int = 0
    lost_values: int = 0
    delivered: int = 0
    wrong: int = 0

    def __iadd__(self, other):
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) +
                    getattr(other, field.name))
        return self

    @property
    def is_fine(self):
        few = max(1, FINE * self.had_values)
        return (self.lost_values <= few and self.wrong <= few and
                self.lost_records <= max(1, FINE * self.had_records))

    def is_as_good_as(self, before):
        """Whether it is fine, or no worse than a night that was not bad."""
        few = max(1, FINE * self.had_values)
        return self.is_fine or (
            not before.is_bad and
            self.lost_values <= before.lost_values + few and
            self.wrong <= before.wrong + few)

    @property
    def is_bad(self):
        return (self.lost_values > max(1, BAD_LOST * self.had_values) or
                self.wrong > max(1, BAD_WRONG * self.delivered))


class Oracle:
    """Of one vertical."""

    def __init__(self, vertical):
        self.attributes = accident_web.attributes_of(vertical)
        self.plain = {}  # hard design to URL to (has a record, verdicts)
        self.wrong = []  # values, for people: URL, attribute, what, truth

    def learn(self, design, pages, records):
        """What rules gave on a quiet site."""
        self.plain.setdefault(design, {}).update(
            (page.url, (bool(records.get(page.url)),
                        self.verdicts(page, records.get(page.url))))
            for page in pages)

    def verdicts(self, page, records):
        """By attribute; a "none" after a right one: the page has none."""
        record = (records or [{}])[0]
        truth = page.truth or {}
        return {name: "right none" if not truth[name] and
                not texts_of(record.get(name)) else
                verdict(record.get(name), truth[name], is_repeated)
                for name, is_repeated in self.attributes.items()
                if name in truth}

    def references(self, page):
        """What is known of the page on a quiet site."""
        unknown = (False, {})
        found = [self.plain.get((), {}).get(page.url, unknown)]
        if accident_web.hard(page.design):
            found.append(self.plain.get(accident_web.hard(page.design),
                                        {}).get(page.url, unknown))
        return found

    def has_record(self, page):
        return page.truth is not None and all(
            record for record, _ in self.references(page))

    def can_be_had(self, page):
        """The attributes of a page."""
        if page.truth is None:
            return []
        return [name for name in self.attributes if page.truth.get(name) and
                all(verdicts.get(name) == "right"
                    for _, verdicts in self.references(page))]

    def by_attribute(self, pages):
        """How many values there are that the first design's rules get."""
        counts = collections.Counter()
        for page in pages:
            _, verdicts = self.references(page)[0]
            counts.update(name for name, values in (page.truth or {}).items()
                          if values and verdicts.get(name) == "right")
        return counts

    def is_felt(self, quiet, delivered):
        """Whether of some attribute people get much less than on a quiet night
        with these pages; `delivered` as by right_values()."""
        return any(count - delivered[name] >= max(HARM_LEAST_VALUES,
                                                  HARM_SHARE * count)
                   for name, count in self.by_attribute(quiet).items())

    def right_values(self, pages, records):
        """By attribute, what was delivered and is right."""
        counts = collections.Counter()
        for page in pages:
            of_page = records.get(page.url)
            counts.update(name for name, is_now
                          in self.verdicts(page, of_page).items()
                          if of_page and page.truth[name] and is_now == "right")
        return counts

    def score(self, pages, records):
        """`records` by URL, of one site."""
        score = Score()
        for page in pages:
            self.add_page(score, page, records.get(page.url, []))
        urls = {page.url for page in pages}
        for url, others in records.items():
            if url not in urls:
                for record in others:
                    self.add_stranger(score, record)
        return score

    def add_page(self, score, page, records):
        was_record = any(record for record, _ in self.references(page))
        if page.truth is None:
            if not page.is_genuine or not was_record:
                for record in records:
                    self.add_stranger(score, record)
            return
        if self.has_record(page):
            score.had_records += 1
            score.lost_records += not records
        for record in records[1:]:
            self.add_stranger(score, record)
        now = self.verdicts(page, records)
        can_be_had = self.can_be_had(page)
        score.had_values += len(can_be_had)
        score.lost_values += sum(now[name] != "right" for name in can_be_had)
        for name, is_now in now.items():
            delivered = texts_of(records[0].get(name)) if records else []
            score.delivered += bool(delivered)
            if delivered and is_now == "wrong" and not any(
                    verdicts.get(name) == "wrong"
                    for _, verdicts in self.references(page)):
                score.wrong += 1
                self.wrong.append((page.url, name, delivered,
                                   page.truth[name]))

    def add_stranger(self, score, record):
        """A record that there should not be."""
        for name in self.attributes:
            if texts_of(record.get(name)):
                score.delivered += 1
                score.wrong += 1
                self.wrong.append((record["url"], name,
                                   texts_of(record[name]), None))


@dataclasses.dataclass
class Outcome:
    """What became of an event."""
    event: object
    score: Score = dataclasses.field(default_factory=Score)
    harmful_since: int = None  # night
    noticed: int = None        # night, from then on
    was_fine: bool = None      # before
    is_back: bool = None
    raised: int = 0            # alerts, of an event that is to raise none
    requests: int = 0
    wall_requests: int = 0


class Judge:
    """Goes through the nights of one pipeline."""

    def __init__(self, plan, oracle):
        self.plan, self.oracle = plan, oracle
        self.outcomes = [Outcome(event) for event in plan.events]
        self.quiet = Outcome(None)
        self.total = Score()
        self.scores = {}            # (site name, night)
        self.false_alarms = collections.Counter()  # (site name, kind)
        self.stale = 0              # nights of alerts that outlived the reason
        self.right = {}             # tonight, of each site, by attribute
        self.open_before = set()    # keys
        self.said = {}              # night to the words of its alerts
        self.diary = []             # of each site and night, for people

    def outcomes_of(self, site, night):
        """Of the events of a site that had begun, the last last."""
        return sorted((one for one in self.outcomes if one.event.site in (
            site, None) and one.event.first <= night),
            key=lambda one: one.event.first)

    def charged(self, site, night):
        """The outcome of the event that a site's night is about: of what passes
        and is at work, else of what ended last."""
        begun = self.outcomes_of(site, night)
        return self.latest([one for one in begun if one.event.returns and
                            one.event.is_active(night)] or begun)

    def blamed(self, site, night):
        """The same for what is lost: a site that was down before an event is
        not down because of it."""
        begun = [one for one in self.outcomes_of(site, night)
                 if not self.before(one.event, site).is_bad]
        return self.latest([one for one in begun if one.event.returns and
                            one.event.is_active(night)] or begun)

    def latest(self, outcomes):
        return max(outcomes, default=self.quiet, key=lambda one: (
            one.event.last, one.event.site is not None, one.event.first))

    def night(self, night, pages_by_site, records, alerts, news):
        for site in self.plan.sites:
            pages = pages_by_site[site.name]
            of_site = {url: rows for url, rows in records.items()
                       if accident_web.host_of(url) == site.name}
            score = self.oracle.score(pages, of_site)
            self.right[site.name] = self.oracle.right_values(pages, of_site)
            self.scores[site.name, night] = score
            blamed = self.blamed(site, night)
            blamed.score += score
            self.total += score
            self.write_diary(night, site, blamed, score, alerts)
        self.judge_harm(night)
        self.judge_notice(night, alerts)
        self.judge_return(night)
        self.judge_alarms(night, alerts)
        for name, page in news:
            site = next((site for site in self.plan.sites
                         if site.name == name), None)
            outcome = self.charged(site, night)
            outcome.requests += 1
            outcome.wall_requests += page is not None and not page.is_genuine

    def write_diary(self, night, site, blamed, score, alerts):
        self.diary.append({
            "night": night, "site": site.name,
            "event": blamed.event and blamed.event.kind,
            "active": [event.kind for event in self.plan.of_site(site, night)],
            "alerts": [f"{alert.severity} {alert.kind}" for alert in alerts
                       if alert.site in ("", site.name)],
            **dataclasses.asdict(score),
            "wrong_values": self.oracle.wrong})
        self.oracle.wrong = []

    def sites_of(self, event):
        return self.plan.sites if event.site is None else [event.site]

    def judge_harm(self, night):
        """Of a site that was down before there is nothing more to notice."""
        for one in self.outcomes:
            event = one.event
            if event.is_harmless or one.harmful_since is not None or (
                    not event.is_recent(night)):
                continue
            if any(self.harms(one, site, night)
                   for site in self.sites_of(event)):
                one.harmful_since = night

    def harms(self, one, site, night):
        event = one.event
        if self.before(event, site).is_bad or (
                event.site and self.charged(site, night) is not one):
            return False
        return self.oracle.is_felt(self.plan.served(site, night, (event,)),
                                   self.right[site.name])

    def judge_notice(self, night, alerts):
        """An alert that was open before in the same words notices nothing."""
        self.said[night] = {alert.words for alert in alerts}
        for one in self.outcomes:
            event = one.event
            if not event.is_recent(night):
                continue
            fitting = [alert.site for alert in alerts
                       if alert.kind in event.fitting and
                       alert.words not in self.said.get(event.first - 1, ())]
            if event.site is not None:
                is_noticed = event.site.name in fitting
            else:
                is_noticed = "" in fitting or (
                    len(set(fitting)) >= len(self.plan.sites) / 2)
            if is_noticed and one.noticed is None:
                one.noticed = night

    def judge_return(self, night):
        """The first night after it on which nothing else passes at the site; of
        a pipeline's event the next night, at those sites at which nothing else
        happens."""
        for one in self.outcomes:
            event = one.event
            if not event.returns or one.is_back is not None or (
                    night <= event.last):
                continue
            if event.site is None and night != event.last + 1:
                continue
            pairs = [(self.before(event, site), self.scores[site.name, night])
                     for site in self.sites_of(event)
                     if not self.is_disturbed(site, night, event)]
            if event.site is None:  # what was down before is none of its doing
                pairs = [(old, new) for old, new in pairs if not old.is_bad]
            if pairs:
                one.was_fine = not any(old.is_bad for old, _ in pairs)
                one.is_back = all(new.is_as_good_as(old) for old, new in pairs)

    def is_disturbed(self, site, night, event):
        """Whether another event passes; of a pipeline's event, whether one is
        or was near it."""
        others = [other for other in self.plan.of_site(site)
                  if other is not event]
        if event.site is not None:
            return any(other.returns and other.is_active(night)
                       for other in others)
        return any(other.first <= night and other.last >= event.first - 1
                   for other in others)

    def before(self, event, site):
        """The score of the last night before it on which nothing passed."""
        night = event.first - 1
        while night > 1 and any(other.returns and other.is_active(night)
                                for other in self.plan.of_site(site)):
            night -= 1
        return self.scores[site.name, night]

    def judge_alarms(self, night, alerts):
        loud = {alert.key: alert for alert in alerts if alert.is_loud}
        for key, alert in loud.items():
            sites = [site for site in self.plan.sites
                     if alert.site in ("", site.name)]
            outcomes = [one for site in sites
                        for one in self.outcomes_of(site, night)
                        if one.event.is_recent(night)]
            harmless = [one for one in outcomes if one.event.is_harmless]
            if len(harmless) < len(outcomes) or any(
                    self.scores[site.name, night].is_bad for site in sites):
                continue  # there is a reason
            if key in self.open_before:
                self.stale += 1
            elif harmless and alert.site:
                harmless[-1].raised += 1
            else:
                self.false_alarms[alert.site, alert.kind] += 1
        self.open_before = set(loud)
