"""Tests: python3 -m unittest discover -s rust/langid/models"""

import unittest

from scripts import of_frequencies, transliterated


class Letters(unittest.TestCase):
    def test_serbian(self):
        self.assertEqual(transliterated("Љубав и њен џеп", "srp"), "Ljubav i njen džep")

    def test_azerbaijani_tells_dotted_from_dotless(self):
        self.assertEqual(transliterated("İl Işıq, gəl", "aze"), "Ил Ышыг, ҝәл")

    def test_uzbek_takes_two_letters_before_one(self):
        self.assertEqual(transliterated("Eshik va o‘g‘il", "uzb"), "Эшик ва ўғил")

    def test_turkmen(self):
        self.assertEqual(transliterated("ýaş çaga ertir", "tuk"), "яш чага эртир")


class Frequencies(unittest.TestCase):
    def test_words_occur_as_often_as_the_list_has_them(self):
        lines = ["Form\tFrequency\n", "\n", "# Corpus-Size: 9\n", "a\t600000000\n", "b\t200000000\n", "c\t1\n"]
        text = of_frequencies(lines, 20)
        self.assertEqual(sorted(text.split()), ["a"] * 12 + ["b"] * 4)
        self.assertEqual([len(line.split()) for line in text.splitlines()], [12, 4])
        self.assertEqual(text, of_frequencies(lines, 20))


if __name__ == "__main__":
    unittest.main()
