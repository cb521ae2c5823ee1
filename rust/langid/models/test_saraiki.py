"""Tests: python3 -m unittest discover -s rust/langid/models"""

import unittest

from saraiki import divided


class Sentences(unittest.TestCase):
    def test_every_tenth_measures_and_every_fourth_other_has_older_letters(self):
        lines = [f"آپݨا ݙینہ {letter * 2} {letter * 3}\n" for letter in "ابتثجحخدذرزس"]
        train, held = divided(lines)
        self.assertEqual(held, ["آپݨا ݙینہ اا ااا", "آپݨا ݙینہ زز ززز"])
        self.assertEqual(len(train), 10)
        self.assertEqual(sum("آپڻا ڋینہ" in line for line in train), 2)

    def test_variants_of_a_sentence_that_measures_are_left_out(self):
        train, held = divided(["سو سنار دی ہک لوہار دی\n", "سو سنار دی تے ہک لوہار دی\n", "آئی مزدوری تلی تے\n"])
        self.assertEqual(held, ["سو سنار دی ہک لوہار دی"])
        self.assertEqual(train, ["آئی مزدوری تلی تے"])

    def test_lines_of_two_words_are_no_sentences(self):
        self.assertEqual(divided(["آپݨے موئے\n"]), ([], []))


if __name__ == "__main__":
    unittest.main()
