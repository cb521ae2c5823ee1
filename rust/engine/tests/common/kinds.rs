//! Texts made to cost an identifier of languages time or memory, of any length: one function for
//! all, a name for each kind.
//!
//! The same kind and length are always the same text.

/// A source of numbers that look random.
pub struct Draw(u64);

impl Draw {
    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        // Xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as usize * end) >> 32
    }

    /// One of some characters.
    fn of(&mut self, letters: &[char]) -> char {
        letters[self.below(letters.len())]
    }

    /// One of the characters from the first to the last.
    fn between(&mut self, first: char, last: char) -> char {
        let (first, last) = (u32::from(first), u32::from(last));
        char::from_u32(first + self.below((last - first + 1) as usize) as u32).unwrap_or('x')
    }

    /// So many characters from the first to the last, and a blank.
    fn word(&mut self, text: &mut String, length: usize, first: char, last: char) {
        (0..length).for_each(|_| text.push(self.between(first, last)));
        text.push(' ');
    }

    /// One to twelve characters from the first to the last, and a blank.
    fn new_word(&mut self, text: &mut String, first: char, last: char) {
        let length = 1 + self.below(12);
        self.word(text, length, first, last);
    }
}

/// Ends a paragraph and begins another.
const PARAGRAPH: &str = "</p>\n<p>";

/// Appends to a text. The last argument is the number of earlier calls.
type Write = fn(&mut String, &mut Draw, usize);

/// Every kind: its name, and the function that appends to its text.
pub const KINDS: &[(&str, Write)] = &[
    ("English prose", |text, _, _| {
        text.push_str(
            "The river rose during the night, and the ferry could not leave before noon. ",
        );
        text.push_str(PARAGRAPH);
    }),
    ("Urdu prose", |text, _, _| {
        text.push_str("شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔ ");
        text.push_str(PARAGRAPH);
    }),
    ("two scripts by turns", |text, _, _| text.push_str("a ش ")),
    ("two scripts by turns, drawn", |text, draw, _| {
        draw.word(text, 1, 'a', 'z');
        draw.word(text, 1, 'ا', 'ي');
    }),
    ("two scripts by turns, other drawn", |text, draw, _| {
        draw.word(text, 1, 'a', 'z');
        draw.word(text, 1, 'а', 'я');
    }),
    ("two scripts in one word", |text, _, _| text.push_str("xб")),
    ("Latin and CJK by turns", |text, draw, _| {
        text.push(draw.between('a', 'z'));
        text.push(draw.between('一', '鿕'));
    }),
    ("a letter of every script", |text, _, times| {
        let letters: Vec<char> = SCRIPTS.chars().collect();
        text.push(letters[times % letters.len()]);
    }),
    ("words of one to five letters in any script", |text, draw, _| {
        let letters: Vec<char> = SCRIPTS.chars().collect();
        let letter = draw.of(&letters);
        (0..1 + draw.below(5)).for_each(|_| text.push(letter));
        text.push(' ');
    }),
    ("twenty letters of one script, twenty of another", |text, draw, times| match times % 2 {
        0 => draw.word(text, 20, 'a', 'z'),
        _ => draw.word(text, 20, 'ا', 'ي'),
    }),
    ("twenty letters of any script", |text, draw, _| {
        let letters: Vec<char> = SCRIPTS.chars().collect();
        let letter = draw.of(&letters);
        (0..20).for_each(|_| text.push(letter));
        text.push(' ');
    }),
    ("paragraphs of thirty letters", |text, draw, _| {
        draw.word(text, 30, 'a', 'z');
        text.push_str(PARAGRAPH);
    }),
    ("paragraphs of thirty letters in two scripts", |text, draw, times| {
        match times % 2 {
            0 => draw.word(text, 30, 'a', 'z'),
            _ => draw.word(text, 30, 'ا', 'ي'),
        }
        text.push_str(PARAGRAPH);
    }),
    ("paragraphs of thirty letters in any script", |text, draw, _| {
        let letters: Vec<char> = SCRIPTS.chars().collect();
        let letter = draw.of(&letters);
        (0..30).for_each(|_| text.push(letter));
        text.push_str(PARAGRAPH);
    }),
    ("paragraphs of one letter", |text, draw, _| {
        text.push(draw.between('a', 'z'));
        text.push_str(PARAGRAPH);
    }),
    ("new words, Latin", |text, draw, _| draw.new_word(text, 'a', 'z')),
    ("new words, Latin with marks", |text, draw, _| draw.new_word(text, 'à', 'ſ')),
    ("new words, Latin by syllables", |text, draw, _| {
        for _ in 0..1 + draw.below(5) {
            text.push(draw.of(&['b', 'd', 'g', 'k', 'l', 'm', 'n', 'r', 's', 't', 'v']));
            text.push(draw.of(&['a', 'e', 'i', 'o', 'u']));
        }
        text.push(' ');
    }),
    ("new words, Arabic", |text, draw, _| draw.new_word(text, 'ا', 'ي')),
    ("new words, Cyrillic", |text, draw, _| draw.new_word(text, 'а', 'я')),
    ("new words, Devanagari", |text, draw, _| draw.new_word(text, 'क', 'ह')),
    ("one-letter words, Latin", |text, draw, _| draw.word(text, 1, 'a', 'z')),
    ("two-letter words, Latin", |text, draw, _| draw.word(text, 2, 'a', 'z')),
    ("four-letter words, Latin", |text, draw, _| draw.word(text, 4, 'a', 'z')),
    ("one-letter words, Arabic", |text, draw, _| draw.word(text, 1, 'ا', 'ي')),
    ("one word, the same letter", |text, _, _| text.push('x')),
    ("one word, Latin", |text, draw, _| text.push(draw.between('a', 'z'))),
    ("one word, Arabic", |text, draw, _| text.push(draw.between('ا', 'ي'))),
    ("one word, Cyrillic", |text, draw, _| text.push(draw.between('а', 'я'))),
    ("one word, CJK", |text, draw, _| text.push(draw.between('一', '鿕'))),
    ("one word, kana", |text, draw, _| text.push(draw.between('ぁ', 'ヺ'))),
    ("one word, Hangul", |text, draw, _| text.push(draw.between('가', '힣'))),
    ("one word, Thai", |text, draw, _| text.push(draw.between('ก', 'ฮ'))),
    ("one word, capitals", |text, draw, _| text.push(draw.between('A', 'Z'))),
    ("one word beyond the basic plane", |text, draw, _| text.push(draw.between('𐐀', '𐑏'))),
    ("letters as mathematics", |text, draw, _| text.push(draw.between('𝐀', '𝑔'))),
    ("rare scripts", |text, draw, _| text.push(draw.between('𐀀', '𐏕'))),
    ("nobody's characters", |text, draw, _| text.push(draw.between('\u{e000}', '\u{f8ff}'))),
    ("any characters", |text, draw, _| text.push(draw.between('¡', '\u{3ffff}'))),
    ("any characters of the basic plane", |text, draw, _| text.push(draw.between('¡', '\u{ffff}'))),
    ("digits", |text, draw, _| text.push(draw.between('0', '9'))),
    ("digits and letters", |text, draw, _| {
        text.push(draw.between('0', '9'));
        text.push(draw.between('a', 'z'));
    }),
    ("signs", |text, draw, _| text.push(draw.of(&['.', ',', '-', '!', '|', '\'', '"', '/']))),
    ("apostrophes in words", |text, draw, _| {
        text.push(draw.between('a', 'z'));
        text.push('\'');
    }),
    ("faces", |text, draw, _| text.push(draw.between('😀', '🙏'))),
    ("letters and faces", |text, draw, _| {
        text.push(draw.between('a', 'z'));
        text.push(draw.between('😀', '🙏'));
    }),
    ("letters with marks", |text, draw, _| {
        text.push(draw.between('a', 'z'));
        text.push(draw.between('\u{300}', '\u{36f}'));
    }),
    ("marks", |text, draw, _| text.push(draw.between('\u{300}', '\u{36f}'))),
    ("joiners between letters", |text, draw, _| {
        text.push(draw.between('ا', 'ي'));
        text.push('\u{200c}');
    }),
    ("a word of joiners", |text, draw, times| match times % 1000 {
        0 => draw.word(text, 1, 'ا', 'ي'),
        _ => text.push('\u{200d}'),
    }),
    ("changes of direction", |text, draw, _| {
        text.push(draw.of(&['\u{200e}', '\u{200f}', '\u{202b}', '\u{202c}']));
        text.push(draw.between('א', 'ת'));
    }),
    ("sentences in every language of a table", |text, draw, _| {
        text.push_str(SENTENCES[draw.below(SENTENCES.len())]);
        text.push(' ');
    }),
    ("paragraphs in every language of a table", |text, draw, _| {
        text.push_str(SENTENCES[draw.below(SENTENCES.len())]);
        text.push_str(PARAGRAPH);
    }),
    ("words in every language of a table", |text, draw, _| {
        let sentence = SENTENCES[draw.below(SENTENCES.len())];
        let words = sentence.split(' ').count();
        text.push_str(sentence.split(' ').nth(draw.below(words)).unwrap_or("x"));
        text.push(' ');
    }),
    ("a sentence again and again, one letter changed", |text, draw, _| {
        text.push_str("the river rose during the night and ");
        text.push(draw.between('a', 'z'));
        text.push(' ');
    }),
];

/// A letter of each of many scripts.
const SCRIPTS: &str = "aαбաאشܐހकকਕકଓகకಕകකกກཀကაሀᎠᐁកᠠあ한一ꀀᜃⴰ";

/// Sentences, each in another language.
const SENTENCES: &[&str] = &[
    "The river rose during the night and the ferry could not leave before noon.",
    "Der Fluss stieg in der Nacht und die Fähre konnte nicht vor Mittag ablegen.",
    "La rivière a monté pendant la nuit et le bac n'a pas pu partir avant midi.",
    "El río subió durante la noche y el barco no pudo salir antes del mediodía.",
    "O rio subiu durante a noite e a balsa não pôde sair antes do meio-dia.",
    "Il fiume è salito durante la notte e il traghetto non poteva partire prima di mezzogiorno.",
    "De rivier steeg in de nacht en het veer kon niet voor de middag vertrekken.",
    "Älven steg under natten och färjan kunde inte gå före lunch.",
    "Joki nousi yöllä eikä lautta päässyt lähtemään ennen puoltapäivää.",
    "Jõgi tõusis öösel ja praam ei saanud enne keskpäeva väljuda.",
    "Řeka v noci stoupla a přívoz nemohl vyplout před polednem.",
    "Rieka v noci stúpla a prievoz nemohol vyplávať pred poludním.",
    "Rzeka podniosła się w nocy i prom nie mógł odpłynąć przed południem.",
    "A folyó éjszaka megáradt, és a komp dél előtt nem tudott elindulni.",
    "Nehir gece boyunca yükseldi ve vapur öğleden önce kalkamadı.",
    "Mto ulijaa usiku na kivuko hakikuweza kuondoka kabla ya saa sita mchana.",
    "Sungai naik pada malam hari dan kapal tidak dapat berangkat sebelum tengah hari.",
    "Nước sông dâng lên trong đêm và phà không thể rời bến trước buổi trưa.",
    "Река поднялась за ночь, и паром не мог отойти до полудня.",
    "Річка піднялася за ніч, і пором не міг відійти до полудня.",
    "Реката се покачи през нощта и фериботът не можа да тръгне преди обяд.",
    "Река је порасла током ноћи и скела није могла да крене пре поднева.",
    "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔",
    "رودخانه در طول شب بالا آمد و قایق نتوانست پیش از ظهر حرکت کند.",
    "ارتفع النهر خلال الليل ولم تستطع العبارة أن تغادر قبل الظهر.",
    "नदी रात में बढ़ गई और नाव दोपहर से पहले नहीं निकल सकी।",
    "নদী রাতে বেড়ে গেল এবং ফেরি দুপুরের আগে ছাড়তে পারল না।",
    "Το ποτάμι φούσκωσε τη νύχτα και το πλοίο δεν μπορούσε να φύγει πριν το μεσημέρι.",
    "הנהר עלה בלילה והמעבורת לא יכלה לצאת לפני הצהריים.",
    "แม่น้ำเพิ่มขึ้นในเวลากลางคืนและเรือข้ามฟากไม่สามารถออกก่อนเที่ยงได้",
    "夜の間に川が増水し、渡し船は正午まで出られなかった。",
    "夜里河水上涨，渡船中午以前无法出发。",
    "밤사이 강물이 불어나 나룻배는 정오 전에 떠날 수 없었다.",
];

/// A page of one kind, of this many bytes or a few more.
pub fn page(write: Write, length: usize) -> String {
    let mut text = String::with_capacity(length + 256);
    text.push_str("<p>");
    let mut draw = Draw(0x9E37_79B9_7F4A_7C15);
    let mut times = 0;
    while text.len() < length {
        write(&mut text, &mut draw, times);
        times += 1;
    }
    text
}
