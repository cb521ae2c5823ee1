"""Tests: python3 -m unittest discover -s rust/content/training (needs lxml)"""

import random
import unittest

try:
    from boilerplate import Thread, folded, with_more, words_of
    import lxml.html
except ModuleNotFoundError as missing:
    raise unittest.SkipTest(f"needs {missing.name}") from None

PARAGRAPHS = [
    f"The mill at the river was closed in {year}, and the {what} of the town moved to the other bank."
    for year, what in ((1901, "bakers"), (1922, "weavers"), (1943, "potters"), (1964, "smiths"), (1985, "teachers"), (1999, "singers"))
]
PAGE = "<html><head><title>The mill</title></head><body><div id=page><div class=text>" + "".join(f"<p>{p}</p>" for p in PARAGRAPHS) + "</div></div></body></html>"
GOLD = "\n".join(PARAGRAPHS)


def text_of(source):
    return folded(lxml.html.document_fromstring(source).text_content())


class Pages(unittest.TestCase):
    def variants(self):
        return [with_more(PAGE, GOLD, random.Random(seed)) for seed in range(60)]

    def test_the_gold_text_is_in_the_page_and_gains_nothing(self):
        for source, gold in self.variants():
            kept = [p for p in PARAGRAPHS if p in gold]
            self.assertGreaterEqual(len(kept), 1)
            self.assertEqual(folded(gold), " ".join(kept))
            for paragraph in kept:
                self.assertEqual(text_of(source).count(paragraph), 1)

    def test_cut_paragraphs_leave_the_page_and_the_gold_text(self):
        cut = [(source, [p for p in PARAGRAPHS if p not in gold]) for source, gold in self.variants()]
        self.assertTrue(any(gone for _, gone in cut))
        for source, gone in cut:
            for paragraph in gone:
                self.assertNotIn(paragraph, text_of(source))

    def test_most_pages_have_more_text_than_before(self):
        longer = sum(len(text_of(source)) > len(GOLD) for source, _ in self.variants())
        self.assertGreater(longer, 40)

    def test_the_same_seed_gives_the_same_page(self):
        self.assertEqual(with_more(PAGE, GOLD, random.Random(7)), with_more(PAGE, GOLD, random.Random(7)))

    def test_a_page_without_its_gold_text_gives_none(self):
        self.assertIsNone(with_more(PAGE, "Another text of a length that is not found in this page at all.", random.Random(1)))

    def test_words_of_scripts_without_spaces_are_pieces(self):
        self.assertTrue(all(len(word) <= 3 for word in words_of("这是一个没有空格的很长的句子用来测试单词的切分是否正确")))

    def test_comments_are_well_formed_in_every_template(self):
        for seed in range(200):
            markup = Thread(GOLD, random.Random(seed)).markup()
            self.assertEqual(len(lxml.html.fragments_fromstring(markup)), 1, markup)


if __name__ == "__main__":
    unittest.main()
