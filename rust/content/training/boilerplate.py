#!/usr/bin/env python3
"""Makes a set of annotated pages with more boilerplate from a set of annotated articles.

    boilerplate.py SET TARGET

The program adds boilerplate to the pages: threads of comments, lists of other articles, menus, archives, polls, tables of numbers, lists
of rules and notes. It puts them after or before the text, or beside it in columns of a layout table. It shortens some articles. It
removes the cut paragraphs from the gold text, and adds nothing to the gold text.

Most annotated pages with an open licence have a long article and little boilerplate. On the web, a short article may have a thread of
comments that is ten times as long, and lists of other articles with their first sentences.

The words are drawn at random from the page's gold text. So they are in its language, and no sentence is repeated. Elements, class names,
bylines and dates follow the templates of blogs, newspapers and portals since 2000. About half of the threads and lists have class names
without a meaning. Other kinds of pages are skipped: in a forum the posts are main content, and in a list the items.

Each page gives VARIANTS pages, or none if its gold text is short or is not found in it. The same set always gives the same pages. Needs
lxml.
"""
import html, pathlib, random, re, sys, zlib
import lxml.html
from sets import Writer

VARIANTS = 2
LEAST_GOLD = 200  # characters
LEAST_PIECE = 40  # characters of an element that are looked for in the gold text
# Kinds of pages, as the index of a set or our annotations name them, whose comments are not main text.
ARTICLES = {"A", "article"}
GOLD = pathlib.Path(__file__).parent / "gold"

# Names of: the container, the list, an item, its byline, the author, the date, the body, the actions.
NAMED = [
    ("comments", "commentlist", "comment", "comment-meta", "comment-author vcard", "comment-date", "comment-body", "reply"),
    ("comments-area", "comment-list", "comment even depth-1", "comment-meta commentmetadata", "fn", "comment-time", "comment-content", "reply"),
    ("comments-block", "comments", "comment-item", "comment-footer", "comment-author", "comment-timestamp", "comment-body", "comment-delete"),
    ("comments-content", "comments-list", "comment", "comment-footer", "vcard author", "published", "comment-content", "comment-reply"),
    ("responses", "discussion", "response", "byline", "user", "dateline", "text", "report"),
    ("disqus_thread", "dsq-comments", "dsq-comment", "dsq-comment-header", "dsq-commenter-name", "dsq-time", "dsq-comment-text", "dsq-reply"),
    ("reader-comments", "messages", "message", "postinfo", "username", "posted", "msgtext", "abuse"),
    ("kommentare", "kommentarliste", "kommentar", "kommentarkopf", "autor", "datum", "kommentartext", "antworten"),
    ("comentarios", "lista-comentarios", "comentario", "cabecera", "autor", "fecha", "texto", "responder"),
    ("feedback", "feedback-list", "odd", "submitted", "name", "time", "content", "links"),
]
NEUTRAL = [
    ("box", "items", "item", "info", "name", "date", "text", "links"),
    ("block", "list", "row", "head", "small", "small", "body", "foot"),
    ("", "", "item", "credit", "", "", "", ""),
    ("", "", "story", "", "", "", "", "small"),
    ("content", "posts", "post", "meta", "author", "date", "entry", "tools"),
    ("", "", "", "", "", "", "", ""),
]
# Elements of: the list, an item, the byline, the body.
SHAPES = [
    ("ol", "li", "div", "div"), ("ul", "li", "p", "div"), ("div", "div", "div", "div"), ("div", "div", "p", ""), ("div", "article", "footer", "section"),
    ("table", "tr", "td", "td"), ("dl", "", "dt", "dd"), ("", "p", "b", ""), ("", "div", "span", ""), ("section", "div", "h4", "p"), ("", "", "p", "p"),
]
DATES = ["%d.%m.%Y, %H:%M", "%Y-%m-%d %H:%M:%S", "{m} %d, %Y at %H:%M", "%d {m} %Y", "%d/%m/%y %H:%M", "{m} %d, %Y", "{w} {n} {w}", "%H:%M, %d {m}", "({n} {w})", "%d-%m-%Y", "{m} %dth, %Y"]

# Marks at the end of sentences.
STOPS = ".。۔।።"


def words_of(text):
    """The words of a text; of scripts without spaces, pieces of a few characters."""
    words = text.split()
    if words and len(text) / len(words) > 20:
        words = re.findall(r"\S{1,3}", text)
    words = (word.strip(".,;:!?…。۔।，、؟።\"“”()[]") for word in words)
    return [word for word in words if 0 < len(word) < 25] or ["-"]


class Part:
    """Markup from the words of a text."""

    def __init__(self, text, draw):
        self.words, self.draw = words_of(text), draw
        self.stop = max(STOPS, key=text.count)
        self.date_format = draw.choice(DATES)
        self.number = draw.randint(1, 9_000_000)

    def some(self, least, most):
        """Returns `least` to `most` words, drawn at random from the text."""
        return " ".join(self.draw.choice(self.words) for _ in range(self.draw.randint(least, most)))

    def sentences(self, letters):
        """Sentences with about so many characters."""
        out, size = [], 0
        while size < letters:
            sentence = self.some(3, 18)
            if self.draw.random() < 0.3:
                sentence = sentence.replace(" ", ", ", 1)
            sentence = (sentence[0].upper() if self.draw.random() < 0.8 else sentence[0]) + sentence[1:]
            out.append(sentence + self.draw.choice([self.stop] * 6 + ["!", "?", "...", "", "!!"]))
            size += len(sentence) + 2
        return html.escape(" ".join(out))

    def date(self):
        """A date in this part's format."""
        draw = self.draw
        values = {"%d": f"{draw.randint(1, 28):02}", "%m": f"{draw.randint(1, 12):02}", "%Y": str(draw.randint(2003, 2024)), "%y": f"{draw.randint(3, 24):02}",
                  "%H": f"{draw.randint(0, 23):02}", "%M": f"{draw.randint(0, 59):02}", "%S": f"{draw.randint(0, 59):02}",
                  "{m}": self.some(1, 1), "{w}": self.some(1, 1), "{n}": str(draw.randint(1, 30))}
        return html.escape(re.sub(r"%\w|\{\w\}", lambda found: values[found.group()], self.date_format))

    def link(self, text):
        self.number += 1
        return f'<a href="/{self.number}">{text}</a>'

    def names_of(self, named, neutral):
        """The class names of a template."""
        names = self.draw.choice(named if self.draw.random() < 0.5 else neutral)
        if self.draw.random() < 0.2:  # class names like those that a CSS build tool generates
            names = ["".join(self.draw.choices("abcdefghkmnpqrstuvwxyz", k=self.draw.randint(2, 6))) if name else "" for name in names]
        return names

    def tag(self, name, part, inside, more=""):
        """An element with the class name of its part; without an element's name only what is inside."""
        called = f' class="{self.names[part]}"' if self.names[part] else ""
        return f"<{name}{called}{more}>{inside}</{name}>" if name else inside

    def heading(self, elements):
        name = self.draw.choice(elements)
        return f"<{name}>{self.title(1, 3)}</{name}>"

    def title(self, least=3, most=11):
        """A headline of some words."""
        title = html.escape(self.some(least, most))
        return title[0].upper() + title[1:]


class Thread(Part):
    """A thread of comments. The template is drawn once for each thread, the text anew for each comment."""

    def __init__(self, text, draw):
        super().__init__(text, draw)
        self.list, self.item, self.byline, self.body = draw.choice(SHAPES)
        self.names = self.names_of(NAMED, NEUTRAL)
        self.in_ids = draw.random() < 0.4
        self.with_date, self.with_link, self.with_picture = draw.random() < 0.9, draw.random() < 0.6, draw.random() < 0.4
        self.byline_first, self.one_line = draw.random() < 0.6, draw.random() < 0.6
        self.breaks = draw.random() < 0.35
        self.actions = [self.some(1, 3) for _ in range(draw.choice([0, 0, 1, 1, 2, 3]))]
        self.signature = self.some(1, 2) if draw.random() < 0.5 else ""
        self.numbered = draw.random() < 0.2
        self.deep = draw.random() < 0.3
        self.length = draw.lognormvariate(4.8, 0.5)

    def text(self):
        paragraphs = [self.sentences(self.draw.lognormvariate(0, 0.8) * self.length) for _ in range(self.draw.choice([1] * 6 + [2, 2, 3, 4]))]
        if self.breaks or self.body == "p":
            return "<br /><br />".join(paragraphs)
        if not self.body and len(paragraphs) == 1 and self.draw.random() < 0.3:
            return paragraphs[0]
        return "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)

    def author(self):
        author = html.escape(self.some(1, 2))
        if self.with_link and self.draw.random() < 0.7:
            author = f'<a href="http://example.org/{self.number}" rel="nofollow">{author}</a>'
        return self.tag(self.draw.choice(["span", "cite", "b", "strong", "span"]), 4, author)

    def comment(self, depth=0):
        self.number += self.draw.randint(1, 400)
        author, date = self.author(), self.date() if self.with_date else ""
        if date and self.numbered:
            date = f'<a href="#c{self.number}">{date}</a>'
        picture = '<img src="/avatar.png" alt="" width="40" height="40">' if self.with_picture else ""
        glue = self.draw.choice([" ", " | ", " - ", ", "]) if self.one_line else "<br>" if self.byline in ("p", "td", "b", "") else ""
        date = self.tag("span" if self.one_line else self.draw.choice(["span", "div"]) if self.byline == "div" else "span", 5, date) if date else ""
        byline = self.tag(self.byline, 3, f"{picture}{html.escape(self.signature)} {author}{glue}{date}")
        body = self.tag(self.body, 6, self.text())
        actions = " ".join(f'<a href="#r{self.number}">{html.escape(action)}</a>' for action in self.actions)
        actions = self.tag("div" if self.item not in ("p", "tr", "") else "span", 7, actions) if actions and self.item != "tr" else ""
        inside = byline + body + actions if self.byline_first else body + byline + actions
        if self.deep and depth < 3 and self.item in ("li", "div") and self.draw.random() < 0.3:
            inside += self.tag("ul" if self.item == "li" else "div", 1, self.comment(depth + 1))
        identity = f' id="comment-{self.number}"' if self.in_ids else ""
        return ("" if self.in_ids or self.draw.random() < 0.7 else f'<a name="c{self.number}"></a>' if self.item != "tr" else "") + self.tag(self.item, 2, inside, identity)

    def markup(self):
        count = min(80, max(1, round(self.draw.lognormvariate(2.1, 1.0))))
        items = "\n".join(self.comment() for _ in range(count))
        listed = self.tag(self.list, 1, items)
        head = self.draw.choice(["{n} {w}", "{w} ({n})", "{w}", "{w}", ""]).format(n=count, w=html.escape(self.some(1, 3)))
        if head:
            name = self.draw.choice(["h2", "h3", "h3", "h4", "div", "p"])
            head = f"<{name}>{head}</{name}>"
        form = ""
        if self.draw.random() < 0.6:
            labels = "".join(f'<p><label>{html.escape(self.some(1, 3))}</label><input type="text" name="f{i}"></p>' for i in range(self.draw.randint(0, 3)))
            note = f"<p>{self.sentences(self.draw.randint(30, 250))}</p>" if self.draw.random() < 0.4 else ""
            form = f'<form method="post" action="/post">{note}{labels}<textarea name="text"></textarea><input type="submit"></form>'
        inside = head + listed + form if self.draw.random() < 0.8 else form + head + listed
        identity = ' id="comments"' if self.names[0] and self.names in NAMED and self.draw.random() < 0.5 else ""
        return self.tag("div", 0, inside, identity) if self.names[0] or self.draw.random() < 0.7 else f"<div>{inside}</div>"


# Names of: a list of other articles, an item, its headline, its excerpt.
NAMED_LISTS = [
    ("related", "related-item", "related-title", "excerpt"), ("more-stories", "story", "headline", "summary"), ("sidebar", "widget", "title", "teaser"),
    ("widget widget_recent_entries", "recent", "post-title", "desc"), ("latest-news", "news-item", "news-title", "news-text"),
    ("popular", "most-read", "link", "lead"), ("rellinks", "rellinkitem", "", ""), ("toplist", "", "", "intro"),
]
NEUTRAL_LISTS = [("box", "item", "title", "text"), ("block", "row", "", ""), ("", "", "", ""), ("module", "content", "", ""), ("col", "post", "entry-title", "entry")]
# Elements of: the list, an item, the headline, the excerpt.
LIST_SHAPES = [("ul", "li", "", "p"), ("div", "div", "h3", "p"), ("div", "div", "h4", "div"), ("table", "tr", "td", "td"), ("", "div", "b", ""), ("dl", "", "dt", "dd"),
               ("div", "article", "h2", "p"), ("ol", "li", "", ""), ("", "p", "", ""), ("table", "tr", "", "td"), ("", "", "b", "p")]


class Teasers(Part):
    """A list of other articles, with or without their first sentences."""

    def markup(self):
        draw = self.draw
        self.names = self.names_of(NAMED_LISTS, NEUTRAL_LISTS)
        whole, item, headline, excerpt = draw.choice(LIST_SHAPES)
        with_excerpt, with_date, with_picture = draw.random() < 0.6, draw.random() < 0.4, draw.random() < 0.4
        excerpt_is_link, counted = draw.random() < 0.15, draw.random() < 0.2
        more = self.link(self.title(1, 2)) if draw.random() < 0.3 else ""
        length = draw.lognormvariate(4.6, 0.5)

        items = []
        for _ in range(min(40, max(2, round(draw.lognormvariate(1.9, 0.7))))):
            title = self.link(self.title())
            if counted:
                title += f" ({draw.randint(0, 99)})"
            date = f"<span>{self.date()}</span> " if with_date else ""
            picture = '<img src="/small.jpg" alt="">' if with_picture else ""
            text = self.sentences(draw.lognormvariate(0, 0.5) * length) if with_excerpt else ""
            text = self.tag(excerpt or "span", 3, (self.link(text) if excerpt_is_link else text) + (" " + more if more else "")) if text else ""
            head = self.tag(headline, 2, (date + title) if draw.random() < 0.5 else title + " " + date)
            items.append(self.tag(item, 1, picture + head + ("<br>" if not headline and text and item not in ("tr", "li") else "") + text))
        head = self.heading(["h2", "h3", "h4", "div", "b", "p"]) if draw.random() < 0.8 else ""
        return f"<div>{head}{self.tag(whole, 0, ''.join(items))}</div>"


class Sidebar(Part):
    """Other boilerplate beside a text: menus, archives, notes, a poll, a table of numbers, a list of rules."""

    def menu(self):
        before, between, after = self.draw.choice([
            ("<div>", " | ", "</div>"), ("<div>", "<br>", "</div>"), ("<ul><li>", "</li><li>", "</li></ul>"),
            ("<table><tr><td>", "</td></tr><tr><td>", "</td></tr></table>"), ("<div>", " &middot; ", "</div>"), ("<p>", "</p><p>", "</p>"),
        ])
        return before + between.join(self.link(self.title(1, 4)) for _ in range(self.draw.randint(4, 40))) + after

    def months(self):
        count = self.draw.random() < 0.6
        rows = [f"{self.link(self.some(1, 1) + ' ' + str(self.draw.randint(2003, 2014)))}{f' ({self.draw.randint(1, 60)})' if count else ''}" for _ in range(self.draw.randint(5, 60))]
        return "<ul><li>" + "</li><li>".join(rows) + "</li></ul>" if self.draw.random() < 0.6 else "<br>".join(rows)

    def note(self):
        return f"<p>{self.sentences(self.draw.lognormvariate(5.2, 0.6))}</p>" + (f"<p>{self.sentences(80)}</p>" if self.draw.random() < 0.3 else "")

    def poll(self):
        options = "".join(f'<p><input type="radio" name="poll"> {html.escape(self.some(1, 12))}</p>' for _ in range(self.draw.randint(2, 5)))
        return f"<form><b>{self.title()}?</b>{options}</form>"

    def numbers(self):
        def row():
            return f"<tr><td>{html.escape(self.some(1, 2))}</td><td>{self.draw.randint(1, 99999) / 100}</td><td>{self.draw.randint(-99, 99) / 10}%</td></tr>"

        return "<table>" + "".join(row() for _ in range(self.draw.randint(3, 15))) + "</table>"

    def rules(self):
        return "<ul>" + "".join(f"<li>{self.sentences(self.draw.randint(20, 160))}</li>" for _ in range(self.draw.randint(2, 6))) + "</ul>"

    def markup(self):
        kinds = self.draw.choices([self.menu, self.months, self.note, self.poll, self.numbers, self.rules], [5, 2, 3, 1, 1, 1], k=self.draw.randint(1, 4))
        called = self.draw.choice(["sidebar", "widget", "rightcol", "left", "module", "x", "x", "box"])
        out = ""
        for kind in kinds:
            head = self.heading(["h2", "h3", "h4", "b", "div"]) if self.draw.random() < 0.7 else ""
            out += f"<div class={called}>{head}{kind()}</div>" if self.draw.random() < 0.8 else head + kind()
        return f"<div>{out}</div>"


def folded(text):
    return " ".join(text.split())


def of_gold(root, gold):
    """The elements with text of their own that is in the gold text, in the order of the page."""
    found = []
    for element in root.iter():
        if not isinstance(element.tag, str) or element.tag in ("script", "style", "title", "head", "option", "textarea", "noscript"):
            continue
        own = [element.text or "", *(child.tail or "" for child in element)]
        if any(len(piece) >= LEAST_PIECE and piece in gold for piece in map(folded, own)):
            found.append(element)
    return found


# Elements that have no place beside a block.
INNER = ("td", "tr", "tbody", "li", "b", "i", "span", "em", "strong", "font", "a", "dd", "dt")


def upwards(element, levels):
    """Returns the ancestor that is `levels` above an element, but below the body. Goes further up while that is an INNER element."""
    for _ in range(levels):
        if (parent := element.getparent()) is None or parent.tag in ("body", "html"):
            break
        element = parent
    while element.tag in INNER and element.getparent().tag not in ("body", "html"):
        element = element.getparent()
    return element


def fragment(markup):
    return lxml.html.fragment_fromstring(markup)


def put_after(element, markup):
    part = fragment(markup)
    part.tail, element.tail = element.tail, None
    element.addnext(part)


def put_before(element, markup):
    element.addprevious(fragment(markup))


def shortened(root, gold, found, draw):
    """Cuts paragraphs after the first few from the page; returns the gold text without them."""
    keep = draw.randint(1, 4)
    cut = [element for element in found[keep:] if element.tag == "p" and len(element) < 6]
    for element in cut:
        text = folded(element.text_content())
        if text in gold:
            gold = gold.replace(text, " ", 1)
            element.drop_tree()
    return gold


def in_columns(element, draw, parts):
    """Replaces an element by a layout table that has it in one column, and each part in a column to its left or right."""
    table = fragment("<table><tr><td></td></tr></table>")
    row = table[0]
    parent = element.getparent()
    if parent is None:
        return
    table.tail, element.tail = element.tail, None
    parent.replace(element, table)
    row[0].append(element)
    for markup in parts:
        cell = fragment("<div></div>")
        cell.tag = "td"
        cell.append(fragment(markup))
        row.insert(0, cell) if draw.random() < 0.5 else row.append(cell)


def with_more(source, gold, draw):
    """The page with more boilerplate, and its gold text; None if the gold text isn't found in the page."""
    try:
        root = lxml.html.document_fromstring(source)
    except (ValueError, lxml.etree.LxmlError):
        return None
    words, gold = gold, folded(gold)
    found = [element for element in of_gold(root, gold) if element.tag not in ("body", "html")]
    if not found:
        return None
    if draw.random() < 0.4 and len(found) > 4:
        gold = shortened(root, gold, found, draw)
        found = [element for element in of_gold(root, gold) if element.tag not in ("body", "html")]
        if not found:
            return None
    if draw.random() < 0.7:
        put_after(upwards(found[-1], draw.choice([0, 1, 1, 2, 2, 3, 4])), Thread(words, draw).markup())

    def part():
        return (Teasers if draw.random() < 0.6 else Sidebar)(words, draw).markup()

    for _ in range(draw.choice([0, 0, 1, 1, 2, 3])):
        if draw.random() < 0.6:
            put_after(upwards(found[-1], draw.choice([0, 1, 2, 3, 4, 5])), part())
        else:
            put_before(upwards(found[0], draw.choice([1, 2, 3, 4, 5])), part())
    if len(found) > 3 and draw.random() < 0.1:
        put_after(upwards(draw.choice(found[:-1]), 0), Teasers(words, draw).markup())
    if draw.random() < 0.3:
        in_columns(upwards(found[0], draw.choice([3, 4, 5, 9])), draw, [part() for _ in range(draw.randint(1, 3))])
    return "<!DOCTYPE html>\n" + lxml.html.tostring(root, encoding="unicode"), gold


def kinds_of(name):
    """The kinds of pages of our own annotations, by name; None for other sets."""
    if not name.startswith("own-"):
        return None
    return dict(line.split("\t", 2)[:2] for line in (GOLD / "first.tsv").read_text("utf-8").splitlines())


def main(pages, target):
    pages, target = pathlib.Path(pages), pathlib.Path(target)
    kinds = kinds_of(pages.name)
    out, name = Writer(target.parent), target.name
    for row in (pages / "index.tsv").read_text("utf-8").splitlines():
        page, url, kind = row.split("\t")
        if (kinds[page] if kinds else kind if pages.name.startswith("wcxb") else "A") not in ARTICLES:
            continue
        gold = (pages / "gold" / (page + ".txt")).read_text("utf-8")
        if len(gold) < LEAST_GOLD:
            continue
        source = (pages / "html" / (page + ".html")).read_text("utf-8")
        beside = pages / "optional" / (page + ".txt")
        for variant in range(1, 1 + VARIANTS):
            changed = with_more(source, gold, random.Random(zlib.crc32(f"{variant} {page}".encode())))
            if changed is None:
                continue
            out.add(name, f"{page}-{variant}", url, *changed, kind)
            if beside.exists():
                (target / "optional").mkdir(exist_ok=True)
                (target / "optional" / f"{page}-{variant}.txt").write_bytes(beside.read_bytes())
    out.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
