"""Tests: python3 -m unittest discover -s rust/langid/models"""

import unittest

from gurmukhi_to_shahmukhi import Transliterator


class Lines(unittest.TestCase):
    def check(self, gurmukhi, shahmukhi):
        self.assertEqual(Transliterator().line(gurmukhi), shahmukhi)

    def test_short_vowels_and_doubling_are_not_written(self):
        self.check("ਕੁੜੀ ਸਿਰ ਪੱਕਾ", "کڑی سر پکا")

    def test_a_final_e_has_its_own_letter(self):
        self.check("ਮੇਲੇ ਬੇੜੀ", "میلے بیڑی")

    def test_nasalisation_is_dotless_only_at_the_end(self):
        self.check("ਮਾਂ ਗੰਢ ਲੰਬਾ", "ماں گنڈھ لمبا")

    def test_vowels_that_begin_a_syllable(self):
        self.check("ਆਇਆ ਗਈਆਂ ਗਏ ਜਾਓ ਪਿਆਰ", "آیا گئیاں گئے جاؤ پیار")

    def test_letters_with_a_dot(self):
        self.check("ਸ਼ੇਰ ਜ਼ੋਰ ਬਾਗ਼", "شیر زور باغ")

    def test_the_future_is_written_apart(self):
        self.check("ਕਰਾਂਗੇ ਹੋਵੇਗਾ", "کراں گے ہووے گا")

    def test_stems_keep_their_spelling_before_endings(self):
        self.check("ਖ਼ਬਰਾਂ ਅਦਾਲਤ ਵਿੱਚ", "خبراں عدالت وچ")

    def test_spellings_are_taken_in_turn(self):
        self.check("ਵਾਂਗ ਵਾਂਗ ਵਾਂਗ", "وانگ وانگوں وانگ")

    def test_other_text_is_left(self):
        self.check("Don't, 12.", "Don't, 12.")
        self.check("ਉਹ URL ਹਨ।", "اوہ URL نیں ۔")


if __name__ == "__main__":
    unittest.main()
