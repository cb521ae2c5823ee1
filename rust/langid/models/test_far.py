"""Tests: python3 -m unittest discover -s rust/langid/models"""

import tempfile
import unittest
from pathlib import Path

from far import REGIONAL, counts, script


class Lists(unittest.TestCase):
    def counted(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "aai.txt"
            path.write_text("Form\tFrequency\n\n# Corpus-Size: 1000\n\n" + text, encoding="utf-8")
            return counts(path)

    def test_frequencies_become_counts_without_names(self):
        rows = "tun\t500000000\nTun\t2000000\nPaulus\t100000000\nga\t1\n"
        self.assertEqual(self.counted(rows), {"tun": 500, "Tun": 2, "ga": 1})

    def test_a_list_of_capitalised_words_is_kept_whole(self):
        self.assertEqual(self.counted("Tun\t500000000\nga\t1000000\n"), {"Tun": 500, "ga": 1})

    def test_the_script_is_that_of_most_letters(self):
        self.assertEqual([script("abc где"), script("где"), script("12")], ["Latn", "Cyrl", ""])

    def test_regional_spellings_are_no_lists_of_a_language(self):
        names = ["gsw-u-sd-chag", "pt-PT", "rm-sursilv", "blt-Latn", "aai"]
        self.assertEqual([bool(REGIONAL.search(name)) for name in names], [True, True, True, False, False])


if __name__ == "__main__":
    unittest.main()
