#!/usr/bin/env python3
"""Make languages.tsv from open data; print it.

    make.py LANGTAGS CLDR_CORE CLDR_NAMES ISO > languages.tsv

LANGTAGS is a folder with langtags.csv and autonyms.csv of silnrsi/langtags (`source`, MIT).
CLDR_CORE and CLDR_NAMES are the npm packages cldr-core and cldr-localenames-full (Unicode-3.0).
ISO is the languages.txt that the build of rust/langid makes (target/*/build/langid-*/out).
"""

import csv
import json
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

NO_WRITING = {"Brai", "Zyyy", "Zxxx", "Zinh", "Zzzz"}
# Scripts made for English; nobody looks for the language by its name in them.
INVENTED = {"Dsrt", "Shaw", "Dupl", "Runr"}


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def iso(path):
    """Return the names by ISO 639-3 code, and the ISO 639-3 code of either code."""
    names, codes = {}, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            three, two, name = line[:3], line[3:5].strip(), line[5:].strip()
            names[three] = name
            codes[three] = codes[two or three] = three
    return names, codes


def english_and_native(folder, codes):
    """Return CLDR's English names and the names of languages in themselves."""
    english, native = defaultdict(list), defaultdict(list)
    listed = read_json(folder / "main/en/languages.json")["main"]["en"]["localeDisplayNames"]
    for tag, name in listed["languages"].items():
        if tag.split("-alt-")[0] in codes:
            english[codes[tag.split("-alt-")[0]]].append(turned(name))
    by_length = lambda place: (place.name.count("-"), place.name)
    for place in sorted((folder / "main").iterdir(), key=by_length):
        tag = place.name.split("-")[0]
        if INVENTED & set(place.name.split("-")) or tag not in codes:
            continue
        if not (place / "languages.json").exists():
            continue
        names = read_json(place / "languages.json")["main"][place.name]["localeDisplayNames"]
        # A locale without translations repeats the code or the English name.
        name = names["languages"].get(tag)
        if name and name != tag and (codes[tag] == "eng" or name not in english[codes[tag]]):
            native[codes[tag]].append(name)
    return english, native


def speakers(folder, codes):
    """Return the people that use each language, by CLDR's percentages of populations."""
    data = read_json(folder / "supplemental/territoryInfo.json")["supplemental"]
    people = defaultdict(float)
    for territory in data["territoryInfo"].values():
        for tag, share in territory.get("languagePopulation", {}).items():
            code = codes.get(tag.split("_")[0])
            if code:
                everyone = float(territory["_population"])
                people[code] += everyone * float(share["_populationPercent"]) / 100
    return people


def two_digits(number):
    """Round to two significant digits: the sources are estimates."""
    return int(float(f"{number:.1e}"))


def turned(name):
    """Return `Central Kurdish` for `Kurdish, Central`."""
    head, comma, tail = name.partition(", ")
    return f"{tail} {head}" if comma and ", " not in tail else name


def main():
    tags, core, cldr, names = (Path(argument) for argument in sys.argv[1:5])
    names, codes = iso(names)
    english, native = english_and_native(cldr, codes)
    aliases, scripts = defaultdict(list), defaultdict(list)
    for code, others in english.items():
        aliases[code] += others
    with open(tags / "langtags.csv", encoding="utf-8-sig") as file:
        rows = [row for row in csv.DictReader(file) if row["ISO 639-3"] in names]
    # The first row of a language is that of its usual script.
    for row in rows:
        code, script = row["ISO 639-3"], row["likely_subtag"].split("-")[1]
        aliases[code].append(turned(row["LangName"]))
        is_past = row["obsolete"] or row["deprecated"] or row["unwritten"]
        if not (is_past or script in NO_WRITING | INVENTED):
            scripts[code].append(script)
    data = read_json(core / "supplemental/languageData.json")["supplemental"]["languageData"]
    for tag, row in data.items():
        if tag in codes:
            scripts[codes[tag]] += row.get("_scripts", [])
    with open(tags / "autonyms.csv", encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            if row["ISO_639"] in names:
                native[row["ISO_639"]].append(row["Print_Name"])
                aliases[row["ISO_639"]] += [row["Romanization"] or ""]
    people = speakers(core, codes)

    def cell(known, without):
        kept = []
        for name in known:
            # Marks of direction are invisible and nobody types them.
            name = "".join(c for c in name.replace("|", "/") if unicodedata.category(c) != "Cf")
            name = " ".join(name.split())
            if name and name.casefold() not in {other.casefold() for other in kept + without}:
                kept.append(name)
        return "|".join(kept)

    print("# Made by make.py of langtags (MIT) and CLDR 48.2 (Unicode-3.0), see README.md:")
    print("# code, names in the language, other names, scripts (the usual one first), speakers.")
    for code in sorted(names):
        own = [name for name in native[code]]
        others = cell(aliases[code], [names[code], *own])
        row = [cell(own, [names[code]]), others, cell(scripts[code], [])]
        number = two_digits(people[code]) if people.get(code, 0) >= 1 else ""
        if any(row) or number:
            print(code, *row, number, sep="\t")


if __name__ == "__main__":
    main()
