"""What accidents make of good pages: a page without an attribute, walls before
bots, errors."""
import re

import accident_web
import mutate

# Values that go.

INLINE = {"a", "b", "em", "font", "i", "span", "strong"}
BETWEEN = re.compile(r"[\s,;/|&\u00b7]+")  # values


def says(text, value):
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


def without_values(text, values):
    """What a text says besides values: nothing or a label. None where it does
    not name a value, or says more."""
    rest = accident_web.normal(text or "")
    if not any(says(rest, value) for value in values):
        return None
    for value in sorted(values, key=len, reverse=True):
        rest = rest.replace(value, " ")
    rest = BETWEEN.sub(" ", rest).strip()
    return rest if not rest or mutate.label_of(rest) else None


def drop_node(node):
    """Removes the element and keeps what follows it, but for a comma."""
    parent, before = node.getparent(), node.getprevious()
    if parent is None:
        return
    tail = node.tail if node.tail and BETWEEN.sub("", node.tail) else ""
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(node)


def emptied(node):
    """The element to remove in which nothing is besides this one, or nothing
    but a label."""
    while node.getparent() is not None and node.getparent().tag not in (
            "body", "html", "head"):
        parent = node.getparent()
        left = accident_web.normal(
            "".join(parent.itertext()).replace("".join(node.itertext()), "", 1))
        if left and not mutate.label_of(left):
            break
        node = parent
    return node


def without_attribute(page, name, with_label):
    """The page without the values of an attribute, wherever they are a text of
    their own or with their label. Where one still stands in the page otherwise,
    the truth does not say whether the page has the attribute. Where the label
    stays, so do cells and blocks, with nothing in them."""
    values = {accident_web.normal(value) for value in page.truth.get(name, [])}
    if not values:
        return page
    tree = accident_web.parse(page)
    body = tree.find("body")
    for node, place in [] if body is None else list(mutate.texts(body)):
        rest = without_values(getattr(node, place), values)
        if rest is None:
            continue
        setattr(node, place, None if with_label else rest)
        if place == "tail" or node.text or len(node) > 0 or node is body:
            continue
        if with_label:
            drop_node(emptied(node))
        elif node.tag in INLINE:
            drop_node(node)
    truth = dict(page.truth)
    left = " ".join([" ".join(tree.itertext())] + [
        value for node in mutate.elements(tree)
        for value in node.attrib.values()])
    left = accident_web.normal(left)
    if any(says(left, value) for value in values):
        del truth[name]
    else:
        truth[name] = []
    return accident_web.with_tree(page, tree, truth=truth)


# Pages that are none of the site's.

def title_of(page):
    found = re.search(rb"<title[^>]*>(.*?)</title>", page.content,
                      re.DOTALL | re.IGNORECASE)
    text = found.group(1).decode(page.charset or "utf-8", "replace") if (
        found) else ""
    return accident_web.normal(re.sub(r"<[^>]*>", "", text))


WALLS = [
    """<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>
<div class="main-wrapper" role="main"><div class="main-content">
<h1 class="zone-name-title h1">{host}</h1>
<h2 class="h2" id="challenge-running">Checking if the site connection is secure
</h2><div id="challenge-stage"><form><input type="checkbox"> Verify you are
human</form></div><div class="core-msg spacer">{host} needs to review the
security of your connection before proceeding.</div></div></div>
<div class="footer"><div class="footer-inner"><div class="clearfix">
<div class="ray-id">Ray ID: <code>{ray}</code></div></div>
<div class="text-center">Performance &amp; security</div></div></div>
</body></html>""",
    """<html><head><title>Access Denied</title></head><body>
<h1>Access Denied</h1>
You don't have permission to access "{url}" on this server.<p>
Reference&#32;&#35;18&#46;{ray}<p>Your address: {ip}</body></html>""",
    """<!DOCTYPE html><html lang="en"><head><title>{title}</title></head><body>
<header><a href="/">{host}</a></header><main class="captcha"><h1>{title}</h1>
<p>To continue to <b>{title}</b> please confirm that you are not a robot.</p>
<form action="/captcha" method="post"><label>Type the characters you see:
<input name="c"></label><button>Continue</button></form>
<dl><dt>Your IP:</dt><dd>{ip}</dd><dt>Time:</dt><dd>{time}</dd>
<dt>Request:</dt><dd>{ray}</dd></dl></main><footer><ul><li>Help</li><li>Contact
</li></ul></footer></body></html>""",
    """<!DOCTYPE html><html><head><title>Pardon Our Interruption</title></head>
<body><div class="container"><div class="row"><div class="col"><h1>Pardon Our
Interruption...</h1><p>As you were browsing <strong>{host}</strong> something
about your browser made us think you were a bot. There are a few reasons this
might happen:</p><ul><li>You're a power user moving through this website with
super-human speed.</li><li>You've disabled JavaScript.</li><li>A third-party
plugin is preventing JavaScript from running.</li></ul><p>After completing the
CAPTCHA below, you will immediately regain access to {url}.</p></div></div>
<p class="ref">Reference ID: {ray}</p></div></body></html>""",
    """<html><head><title>Zugriff verweigert - {title}</title></head><body
class="sperre"><div id="kopf"><span>{host}</span></div><div id="inhalt">
<h1>Zu viele Anfragen</h1><p>Von Ihrer Adresse {ip} kamen in kurzer Zeit sehr
viele Anfragen. Bitte versuchen Sie es um {time} noch einmal.</p><table><tr><td>
Seite</td><td>{title}</td></tr><tr><td>Vorgang</td><td>{ray}</td></tr></table>
</div></body></html>""",
    """<html><head><title>Before you continue</title></head><body><div><div>
<div><h1>Before you continue to {host}</h1><div><p>We use cookies and data to
</p><ul><li>Deliver and maintain our services</li><li>Track outages and protect
against spam, fraud and abuse</li></ul></div><div><form><input type="hidden"
value="{url}"><button>Reject all</button></form><form><button>Accept all
</button></form></div><a href="/privacy">Privacy</a> <a href="/terms">Terms</a>
</div></div></div></body></html>""",
]


ERRORS = ["Something went wrong", "Internal error", "Page not found",
          "Service temporarily unavailable", "Database connection failed"]




def wall(page, text, rng):
    """One of WALLS in place of the page; no two are quite the same."""
    text = text.format(
        host=accident_web.host_of(page.url), url=page.url,
        title=title_of(page), ray=f"{rng.getrandbits(64):016x}",
        ip=".".join(str(rng.randrange(1, 255)) for _ in range(4)),
        time=f"{rng.randrange(24):02}:{rng.randrange(60):02}")
    return page.replaced(content=text.encode(), charset="utf-8", truth=None,
                         is_genuine=False)


def bare_error(page, text, status=200):
    content = (f"<html><head><title>{text}</title></head><body><h1>{text}</h1>"
               "<p>Please try again later.</p><hr><address>nginx</address>"
               "</body></html>")
    return page.replaced(content=content.encode(), charset="utf-8", truth=None,
                         is_genuine=False, status=status)


def framed_error(page, text):
    """An error where the content of the page was, in the site's own frame."""
    tree = accident_web.parse(page)
    content = mutate.main_content(tree, mutate.text_lengths(tree))
    if content is None or content.tag == "body":
        return bare_error(page, text)
    for child in list(content):
        content.remove(child)
    content.text = None
    for tag, words in (("h1", text), ("p", "Please try again later.")):
        child = content.makeelement(tag, {})
        child.text = words
        content.append(child)
    return accident_web.with_tree(page, tree, truth=None, is_genuine=False)
