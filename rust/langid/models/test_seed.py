"""Tests: python3 -m unittest discover -s rust/langid/models"""

import tempfile
import unittest
from pathlib import Path

import seed


class Texts(unittest.TestCase):
    def test_lines_are_compared_by_their_words(self):
        self.assertEqual(seed.normal("«Ön  3 DAYS!»"), seed.normal("ön days"))

    def test_a_line_has_three_words_or_many_letters_without_blanks(self):
        lines = ["two words", "three short words", "ၵူၼ်းၵူႈၵေႃႉၼႆႉၸွမ်း"]
        self.assertEqual([seed.is_text(line) for line in lines], [False, True, True])

    def test_text_of_another_script_with_latin_words_is_left_out(self):
        lines = ["все это правда", "все это правда, story", "a true story, все"]
        self.assertEqual([seed.is_pure(line) for line in lines], [True, False, True])

    def test_lines_of_a_test_are_not_trained(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "tests/udhr").mkdir(parents=True)
            (folder / "tests/udhr/lmo.txt").write_text("Quest chì l'è on test.\n", encoding="utf-8")
            lines = ["Quest chì l'è on TEST", "Quest chì l'è nò on test", "nò assee"]
            sources = seed.SOURCES
            seed.SOURCES = {"oldi": lambda _: [("lmo", lines + lines), ("fuv", ["O woni ko jango"])]}
            try:
                seed.write_training(folder, folder / "tests", folder / "texts", folder / "table.tsv")
            finally:
                seed.SOURCES = sources
            self.assertEqual((folder / "texts/lmo.txt").read_text(encoding="utf-8"), lines[1] + "\n")
            self.assertTrue((folder / "texts/ful.txt").is_file())
            self.assertIn("lmo\t1\toldi\n", (folder / "table.tsv").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
