#!/usr/bin/env python3
"""Copies a set of annotated pages with their words in another language, to measure what a script does to an extractor.

    reletter.py SET TARGET ENGLISH TEXT CODE

SET is a folder as train.py takes it, TARGET the one to write. ENGLISH and TEXT are files of running text in English and in the
language whose code is CODE (a key of MARKS, or any other that is written like English but for its letters). Markup and gold
stay as they are; in both, each word of the Latin alphabet becomes a word of TEXT, always the same one, as long among its words as it was among
English ones. Marks that end or part sentences become the language's own, and where it writes no blanks there are none. Every thirtieth word
stays, as names do. What comes of it makes no sense, but has the lengths, the marks and the blanks of the language.

Needs nothing beside Python.
"""
import bisect, functools, html, pathlib, re, sys, unicodedata, zlib

# Signs that end a sentence, signs that separate its parts, and signs that end a question.
MARKS = {
    "am": "።፣፧", "ar": ".،؟", "bn": "।,?", "hi": "।,?", "ja": "。、？", "my": "။၊။", "ne": "।,?", "ur": "۔،؟", "zh": "。，？",
    "km": ("។", "", "?"), "lo": ("", "", ""), "th": ("", "", ""),
}
# Mean number of letter clusters in a word, for languages that write no blanks between words.
CLUSTERS = {"ja": 2.2, "km": 2.6, "lo": 3, "my": 2.2, "th": 3, "zh": 1.6}
LATIN = "A-Za-z\u00c0-\u024f"
PIECE = re.compile(rf"([{LATIN}]+(?:['’][a-z]+)?)|([.!?]+(?=[\s\"'”’)\]»]|$))|(,(?=\s|$))|(\s+)|([^\s{LATIN}])")
MARKUP = re.compile(r"(?is)(<!--.*?-->|<(script|style|textarea|svg)\b.*?</\2\s*>|<[a-z/!?][^>]*>)")


def is_letter(char):
    return unicodedata.category(char)[0] in "LM" and not re.match("[A-Za-z]", char) or char in "\u200c\u200d"


def runs(text):
    """Runs of letters and their marks, without English words."""
    run = []
    for char in text + " ":
        if is_letter(char):
            run.append(char)
        elif run:
            yield "".join(run)
            run = []


def clusters(run):
    """Letters with their marks, and with the vowels that are written before them."""
    out = []
    for char in run:
        joined = out and (unicodedata.category(char)[0] == "M" or char in "ำຳ" or out[-1][-1] in "\u17d2\u1039" or out[-1] in "เแโใไເແໂໃໄ")
        if joined:
            out[-1] += char
        else:
            out.append(char)
    return out


class Language:
    def __init__(self, english, text, code):
        self.marks = MARKS.get(code, ".,?")
        self.spaced = code not in CLUSTERS
        words = []
        for run in runs(text):
            if self.spaced:
                words.append(run)
                continue
            parts, at = clusters(run), 0
            while at < len(parts):
                drawn = zlib.crc32(f"{at}{parts[at]}".encode()) % 1000 / 1000
                size = max(1, int(CLUSTERS[code] * (0.5 + drawn)))
                words.append("".join(parts[at:at + size]))
                at += size
        self.words = sorted(words, key=len)
        self.lengths = sorted(len(word) for word in re.findall("[A-Za-z]+", english))

    @functools.lru_cache(None)
    def word(self, word):
        drawn = zlib.crc32(word.encode())
        if drawn % 30 == 7:
            return word
        shorter, up_to = (side(self.lengths, len(word)) / len(self.lengths) for side in (bisect.bisect_left, bisect.bisect_right))
        rank = shorter + (up_to - shorter) * ((drawn >> 8) % 1000) / 1000
        return self.words[min(len(self.words) - 1, int(rank * len(self.words)))]

    def lines(self, text):
        return "\n".join(map(self.text, text.split("\n")))

    def text(self, text):
        end, pause, question = self.marks
        out, after_word = [], False
        for word, marks, comma, blanks, other in PIECE.findall(text):
            if word:
                out.append(self.word(word.lower()))
            elif marks:
                out.append({".": end, "?": question}.get(marks, marks))
            elif comma:
                out.append(pause)
            elif blanks:
                out.append("\0" if after_word and not self.spaced else blanks)
            else:
                out.append(other)
            after_word = bool(word) or bool(blanks) and after_word
        # Between two words there is no blank.
        return re.sub(r"\0+(?=[^\W\d_])", "", "".join(out)).replace("\0", " ")

    def page(self, source):
        out, at = [], 0
        for markup in MARKUP.finditer(source):
            out += [self.escaped(source[at:markup.start()]), markup.group()]
            at = markup.end()
        return "".join(out) + self.escaped(source[at:])

    def escaped(self, text):
        return html.escape(self.text(html.unescape(text)), quote=False) if text.strip() else text


def main(folder, target, english, text, code):
    folder, target = pathlib.Path(folder), pathlib.Path(target)
    language = Language(pathlib.Path(english).read_text("utf-8"), pathlib.Path(text).read_text("utf-8"), code)
    rows = []
    for row in (folder / "index.tsv").read_text("utf-8").splitlines():
        name, url = row.split("\t")[:2]
        for kind, file, made in (("html", name + ".html", language.page), ("gold", name + ".txt", language.lines)):
            (target / kind).mkdir(parents=True, exist_ok=True)
            if (folder / kind / file).exists():
                (target / kind / file).write_text(made((folder / kind / file).read_text("utf-8")), "utf-8")
        rows.append(f"{name}\t{url}\t{code}\n")
    (target / "index.tsv").write_text("".join(rows), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
