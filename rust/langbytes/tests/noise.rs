//! Noise is counted for no small language, and running text is counted as before.
#![allow(clippy::unwrap_used)]

use langbytes::{segments, Combined, LangCode};
use std::path::Path;

/// A script: some of its letters, given names and family names.
const SCRIPTS: [(&str, [&str; 3]); 10] = [
    (
        "Latn",
        [
            "a b c d e f g h k m n o p r s t",
            "Anna Peter Lukas Marta Ivan Sofia Jonas Klara",
            "Berg Novak Rossi Silva Koval Lund Maier Costa",
        ],
    ),
    (
        "Cyrl",
        [
            "а б в г д е ж з и к л м н о п р",
            "Игорь Олег Дарья Павел Юлия Борис Алина Сергей",
            "Орлов Белов Титов Гусев Зуев Комаров Жуков Лебедев",
        ],
    ),
    (
        "Arab",
        [
            "ا ب ت ث ج ح خ د ذ ر ز س ش ص ض ط",
            "نادر سمیر لیلا حمید رضوان یوسف کامران سلمان",
            "رحیمی نوری کاظمی بهرامی سلیمی ملکی فرهادی قاسمی",
        ],
    ),
    (
        "Deva",
        [
            "क ख ग घ च छ ज झ ट ठ ड ढ त थ द ध",
            "रवि सुनील कविता मोहन गीता अनिल सीमा विजय",
            "वर्मा मिश्रा जोशी यादव चौधरी पटेल सिन्हा दुबे",
        ],
    ),
    (
        "Grek",
        [
            "α β γ δ ε ζ η θ ι κ λ μ ν ξ ο π",
            "Νίκος Ελένη Πέτρος Άννα Σπύρος Ζωή Λουκάς Ειρήνη",
            "Βλάχος Δήμου Κόκκινος Ρήγας Σταύρου Λάμπρου Μαρής Φωκάς",
        ],
    ),
    (
        "Hebr",
        [
            "א ב ג ד ה ו ז ח ט י כ ל מ נ ס ע",
            "דוד יעל משה רות אורי נועה איתן תמר",
            "כהן לוי פרץ ביטון מזרחי אזולאי דהן גבאי",
        ],
    ),
    (
        "Geor",
        [
            "ა ბ გ დ ე ვ ზ თ ი კ ლ მ ნ ო პ ჟ",
            "ლევან ნინო გიორგი თამარ დათო ეკა ზურა მაკა",
            "ლომიძე კაპანაძე ბერიძე გელაშვილი მაისურაძე წიკლაური ჯაფარიძე ქობალია",
        ],
    ),
    (
        "Beng",
        [
            "ক খ গ ঘ চ ছ জ ঝ ট ঠ ড ঢ ত থ দ ধ",
            "রহিম করিম সুমন মিতা রতন শিলা তপন লতা",
            "দাস সেন ঘোষ পাল রায় বসু মিত্র নন্দী",
        ],
    ),
    (
        "Ethi",
        [
            "ሀ ለ ሐ መ ሠ ረ ሰ ሸ ቀ በ ተ ቸ ነ ኘ አ ከ",
            "አበበ ከበደ አልማዝ ተስፋዬ ሰላም ዳዊት ሄለን ብርሃኑ",
            "ታደሰ ግርማ በቀለ ወልዴ ደስታ መኮንን አሰፋ ንጉሴ",
        ],
    ),
    (
        "Taml",
        [
            "அ ஆ இ ஈ உ ஊ எ ஏ ஐ ஒ ஓ க ங ச ஞ ட",
            "குமார் ரவி லதா மீனா சுரேஷ் கண்ணன் ராஜா வள்ளி",
            "முத்து செல்வம் பாண்டி வேலு மணி சேகர் நாதன் ராமன்",
        ],
    ),
];

/// Small languages that noise may be counted for.
const SMALL: &str = "udm koi kpv mhr mrj mdf myv bak chv tat sah tyv kjh bxr krc kbd che inh abk \
    glk hac bal brh trw skr pnb kas sdh ckb azb tly olo vep krl vro fkv fit sma smj smn sms sme \
    csb hsb dsb nov ina ido gur ven smo pms lkt kab mai bho mag san xmf yid tir tcy asm";

fn noise() -> Vec<(String, Vec<String>)> {
    let mut pages = Vec::new();
    for (script, [letters, given, family]) in SCRIPTS {
        let of = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        let (letters, given, family) = (of(letters), of(given), of(family));
        let (name, last) = (|n: usize| given[n * 5 % 8], |n: usize| family[(n * 3 + n / 8) % 8]);
        let letter = |n: usize| letters[n % letters.len()];
        let mut add = |kind: &str, line: &dyn Fn(usize) -> String| {
            pages.push((format!("{script} {kind}"), (0..60).map(line).collect()));
        };
        add("scream", &|n| letter(0).repeat(20 + n % 30));
        add("other scream", &|n| letter(n).repeat(25));
        add("laugh", &|n| format!("{}{}", letter(9), letter(0)).repeat(10 + n % 9));
        add("one letter", &|_| format!("{} ", letter(0)).repeat(12));
        add("alphabet", &|n| (n..n + 8).map(letter).collect::<Vec<_>>().join(" "));
        add("marks", &|n| format!("{} {}{} {0} {0}", letter(n % 3), letter(1), letter(1)));
        add("a word", &|n| vec![name(0); 2 + n % 7].join(" "));
        add("two words", &|n| format!("{} {} {}", name(0), last(0), name(n % 2)));
        add("syllables", &|n| {
            (n..n + 8)
                .map(|n| format!("{}{}", letter(n % 3), letter(4)))
                .collect::<Vec<_>>()
                .join(" ")
        });
        add("names", &|n| format!("{} {}", name(n), last(n)));
        add("names in turn", &|n| format!("{}, {}", last(n), name(n)));
        add("staff", &|n| format!("{}. {}. {} — {}", n + 1, letter(n), last(n), 1950 + n));
        add("phones", &|n| {
            format!("{} {} +7 (495) {}-{}", last(n), name(n), 200 + n, 1000 + 7 * n)
        });
        add("addresses", &|n| format!("{} {}, {} {}-{}", name(n), n * 3, last(n), letter(n), n));
        add("matches", &|n| format!("{} {} : {} {}", last(n), n % 5, n % 3, last(n + 3)));
        add("menu", &|n| (n..n + 9).map(name).collect::<Vec<_>>().join(" | "));
        add("breadcrumbs", &|n| format!("{} » {} » {}", name(0), last(n / 8), name(n)));
        add("figures", &|n| format!("{}\t{}\t{},{:02} %\t{}", last(n), 17 * n, n, n, 900 - n));
        add("prices", &|n| format!("{} {} {}.99 € ({} kg)", name(n), last(n), 3 * n, n + 1));
        add("calendar", &|n| format!("{}{} {} {}{}", letter(n), letter(4), n, last(n), 2000 + n));
        add("code", &|n| {
            format!("let {}_{n} = {}[{n}].get(\"{}\") || null;", name(n), last(n), letter(n))
        });
        add("hexadecimal", &|n| {
            format!("{:016x} {}", (n as u64 + 7) * 0x9e37_79b9_7f4a, letter(n))
        });
        add("addresses of pages", &|n| {
            format!("https://www.example.org/{}/{}?p={n}", name(n), last(n))
        });
        add("initials", &|n| format!("{}. {}. {}.", letter(n), letter(n + 3), letter(n * 5)));
        add("credits", &|n| format!("{} {} / {} {}", name(n), last(n), name(n + 1), last(n + 2)));
        add("tags", &|n| format!("#{} #{} #{}", name(n), last(n), name(n + 1)));
    }
    pages
}

fn bytes(blocks: &[String], identifier: &Combined, language: LangCode) -> usize {
    let blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
    let pieces = segments(&blocks, identifier, None).pieces;
    pieces.iter().filter(|piece| piece.language == language).map(|piece| piece.text.len()).sum()
}

#[test]
fn no_noise_is_kept_for_a_small_language() {
    let pages = noise();
    assert!(pages.len() >= 250);
    let mut kept = Vec::new();
    for code in SMALL.split_whitespace() {
        let code: LangCode = code.parse().unwrap();
        let identifier = Combined::new(Vec::new(), Some(code));
        for (kind, blocks) in &pages {
            let bytes = bytes(blocks, &identifier, code);
            if bytes >= 256 {
                kept.push(format!("{kind}: {bytes} bytes of {code}"));
            }
        }
    }
    assert!(kept.is_empty(), "{}: {kept:#?}", kept.len());
}

fn languages(blocks: &[String]) -> Vec<LangCode> {
    let blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
    let identifier = Combined::new(Vec::new(), None);
    let pieces = segments(&blocks, &identifier, None).pieces;
    let all = pieces.iter().map(|piece| piece.language).filter(|code| *code != LangCode::UND);
    all.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

/// Lists of places, streets and people as pages have them, with commas or line by line.
const LISTS: [&str; 8] = [
    "تهران، خیابان ولیعصر|تبریز، خیابان امام خمینی|اصفهان، چهارباغ بالا|شیراز، بلوار زند|\
     رشت، میدان شهرداری|مشهد، بلوار وکیل آباد|کرمان، خیابان شریعتی|قزوین، خیابان سپه|\
     ساری، میدان ساعت|اهواز، کیانپارس شرقی|زنجان، سعدی جنوبی|گرگان، خیابان ولیعصر شمالی",
    "رضایی محمد|کریمی حسین|محمدی زهرا|احمدی فاطمه|موسوی علی اکبر|هاشمی مریم|جعفری مهدی|\
     نوری سارا|صادقی اکبر|رحیمی نرگس|باقری جواد|یوسفی لیلا|قاسمی امیر|عباسی شهرام",
    "Вологда · Череповец · Великий Устюг · Сокол|Киров · Слободской · Вятские Поляны · Котельнич|\
     Пермь · Березники · Соликамск · Чусовой|Кудымкар · Чайковский · Лысьва · Краснокамск|\
     Ухта · Печора · Инта · Усинск|Архангельск · Северодвинск · Котлас · Коряжма",
    "ул. Ленина, 12|ул. Садовая, 4|пер. Речной, 7|ул. Мира, 31|ул. Гагарина, 18|пр. Победы, 52|\
     ул. Лесная, 3|ул. Полевая, 9|ул. Школьная, 1|наб. Северная, 22|ул. Зелёная, 15",
    "برن · زيورخ · جنيف · لوزان · بازل|فيينا · غراتس · لينتس · سالزبورغ|\
     ليوبليانا · ماريبور · كوبر · كراني|زغرب · سبليت · رييكا · أوسييك|\
     براغ · برنو · أوسترافا · بلزن|وارسو · كراكوف · غدانسك · بوزنان",
    "דוד כהן, חיפה|רחל לוי, אשדוד|משה מזרחי, עכו|לאה פרידמן, צפת|יוסף שפירא, חולון|\
     חנה גולדברג, רחובות|אברהם וייס, נתניה|שרה קליין, יבנה|דן רוזנברג, לוד",
    "સુરત, રાંદેર|રાજકોટ, કાલાવડ|ભાવનગર, મહુવા|જામનગર, ધ્રોલ|મહેસાણા, વિસનગર|વડોદરા, પાદરા|\
     ભુજ, અંજાર|નડિયાદ, કપડવંજ|પાટણ, સિદ્ધપુર|અમરેલી, લાઠી",
    "ⵜⴰⵣⵍⵅ ⵇⵥⴳⴱ ⵄⵃⵯ ⵔⵖⵣⵚ|ⵙⵟⵇ ⵊⵅⵣ ⵚⴹⴼⵖ ⵡⵇ ⵄⴱⵥⴷ|ⵖⵇⵔⵅ ⵥⵃⵊ ⵟⵡⴳ ⵚⵣⴼ ⵅⵄ|ⵇⴷⵖ ⵔⵥⵊ ⵃⵚ ⵟⵅⴱ ⴹⵇⵣ",
];

#[test]
fn lists_of_places_and_people_are_in_no_language() {
    for list in LISTS {
        let lines: Vec<String> = list.split('|').map(|line| line.trim().to_owned()).collect();
        for code in SMALL.split_whitespace().chain(["zgh", "guj", "rus", "fas"]) {
            let code: LangCode = code.parse().unwrap();
            let found = bytes(&lines, &Combined::new(Vec::new(), Some(code)), code);
            assert!(found < 100, "{found} bytes of {code}: {lines:?}");
        }
    }
}

/// Words of glossaries, without function words.
const GLOSSARIES: [(&str, &str); 4] = [
    (
        "pol",
        "rzeka, góra, most, okno, kuchnia|ogród, zima, lato, brat, siostra|\
         chleb, masło, rynek, wieś, pogoda|list, obraz, nauczyciel, szkoła, koń",
    ),
    (
        "ukr",
        "річка, гора, міст, вікно, кухня|сад, зима, літо, брат, сестра|\
         хліб, масло, ринок, село, погода|лист, картина, учитель, школа, кінь",
    ),
    (
        "ell",
        "ποτάμι, βουνό, γέφυρα, παράθυρο, κουζίνα|κήπος, χειμώνας, καλοκαίρι, αδελφός|\
         ψωμί, βούτυρο, αγορά, χωριό, καιρός|γράμμα, εικόνα, δάσκαλος, σχολείο, άλογο",
    ),
    (
        "kat",
        "მდინარე, მთა, ხიდი, ფანჯარა, სამზარეულო|ბაღი, ზამთარი, ზაფხული, ძმა, და|\
         პური, კარაქი, ბაზარი, სოფელი, ამინდი|წერილი, სურათი, მასწავლებელი, სკოლა, ცხენი",
    ),
];

#[test]
fn a_glossary_of_a_common_language_is_in_that_language() {
    for (code, words) in GLOSSARIES {
        let lines: Vec<String> = words.split('|').map(str::to_owned).collect();
        let code: LangCode = code.parse().unwrap();
        let found = bytes(&lines, &Combined::new(Vec::new(), Some(code)), code);
        let all: usize = lines.iter().map(String::len).sum();
        assert!(found * 4 > all * 3, "{found} of {all} bytes of {code}");
    }
}

#[test]
fn rows_that_differ_in_a_number_alone_are_noise() {
    let templates = [
        "Pl S U N T TD Pkt #",
        "Po Út St Čt Pá So Ne #",
        "Mo Di Mi Do Fr Sa So Uhr #",
        "Lun Mar Mer Gio Ven Sab Dom #",
        "kcal kJ g mg # Na Ca Fe Vit E B C",
        "М В Н П ЗМ ПМ О РМ #",
        "ул д корп кв эт тел #",
        "کد نوع رنگ وزن قد عدد #",
        "نمبر نام کوڈ وزن تعداد قیمت #",
        "क्रमांक नाम गांव वार्ड पद मत #",
        "yksi kaksi kolme neljä viisi #",
        "bir iki üç dört beş altı #",
        "Aoife Niamh Sean Liam Ciara Eoin #",
        "Азат Илдар Айрат Рамил Дамир Фарид #",
    ];
    for template in templates {
        let rows = |count: usize| -> Vec<String> {
            (0..count).map(|row| template.replace('#', &(row * 7 + 3).to_string())).collect()
        };
        assert_eq!(languages(&rows(14)), [], "{template}");
        // Two templates in turn, as a name and a line of figures.
        let pairs = rows(14).into_iter().enumerate();
        let pairs: Vec<String> = pairs.flat_map(|(n, row)| [row, format!("Vilnius {n}")]).collect();
        assert_eq!(languages(&pairs), [], "{template}");
    }
}

#[test]
fn columns_of_few_words_are_in_no_small_language() {
    let columns = [
        ("glk", "لاهیجان|رودسر|لنگرود|فومن|آستارا|تالش|رشت|انزلی|املش|سیاهکل|ماسال|شفت"),
        ("ckb", "شەممە|یەکشەممە|دووشەممە|سێشەممە|چوارشەممە|پێنجشەممە|هەینی|هەولێر|سلێمانی|دهۆک"),
        ("xmf", "ხაჭაპური|ღომი|ელარჯი|კუპატი|საცივი|ბაჟე|ხარჩო|აჯიკა"),
    ];
    for (code, column) in columns {
        let cells: Vec<&str> = column.split('|').collect();
        let row = |n: usize| {
            format!("{} — {} {}", cells[n * 7 % cells.len()], cells[n * 5 % cells.len()], n * 13)
        };
        let rows: Vec<String> = (0..60).map(row).collect();
        let lines: Vec<String> = (0..60).map(|n| cells[n * 7 % cells.len()].to_owned()).collect();
        for page in [rows, lines] {
            let code: LangCode = code.parse().unwrap();
            let found = bytes(&page, &Combined::new(Vec::new(), Some(code)), code);
            assert_eq!(found, 0, "{code}: {page:?}");
        }
    }
}

#[test]
fn rows_of_a_name_and_a_number_are_in_no_small_language() {
    let table = "Улаанбаатар 07:30|Дархан 08:10|Эрдэнэт 09:00|Чойбалсан 11:20|Мөрөн 12:45|\
        Ховд 13:30|Өлгий 14:15|Сайншанд 15:05|Замын-Үүд 16:40|Арвайхээр 17:20|Баянхонгор 18:00|\
        Алтай 18:35|Улиастай 19:10|Цэцэрлэг 20:25";
    let rows: Vec<String> = table.split('|').map(str::to_owned).collect();
    let mongolian = "mon".parse().unwrap();
    assert_eq!(bytes(&rows, &Combined::new(Vec::new(), Some(mongolian)), mongolian), 0);
}

#[test]
fn refrains_and_litanies_are_not_noise() {
    let refrain = "The river rose and the ferry could not leave";
    let song: Vec<String> = (0..12).map(|_| refrain.to_owned()).collect();
    assert_eq!(languages(&song), ["eng".parse().unwrap()]);
    let litany = "God our father|God the son|God the holy spirit|Mother of mercy|Queen of peace|\
        Tower of ivory|House of gold|Gate of heaven|Star of the morning|Health of the sick|\
        Comfort of all who weep|Help of those who work at night";
    let litany: Vec<String> =
        litany.split('|').map(|name| format!("{name}, pray for us")).collect();
    assert_eq!(languages(&litany), ["eng".parse().unwrap()]);
    let reports: Vec<String> =
        (0..12).map(|n| format!("The ferry left the town with {n} people on board.")).collect();
    assert_eq!(languages(&reports), ["eng".parse().unwrap()]);
    let numbered: Vec<String> =
        reports.iter().map(|text| format!("{text} number {}", text.len())).collect();
    assert_eq!(languages(&numbered), ["eng".parse().unwrap()], "the sentence ends within the line");
    let verses: Vec<String> = (1..13)
        .zip(
            ["and the river was wide", "and the night was long", "and nobody came to the door"]
                .iter()
                .cycle(),
        )
        .map(|(number, line)| format!("{number}) We waited for the ferry {line}"))
        .collect();
    assert_eq!(languages(&verses), ["eng".parse().unwrap()]);
}

#[test]
fn running_text_is_not_noise() {
    let texts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/langid/dev");
    let Ok(files) = std::fs::read_dir(&texts) else {
        println!("skipped: needs the shared data, {}", texts.display());
        return;
    };
    let (mut pages, mut struck) = (0, Vec::new());
    for file in files {
        let file = file.unwrap().path();
        let Ok(code) = file.file_stem().unwrap().to_str().unwrap().parse::<LangCode>() else {
            continue;
        };
        let identifier = Combined::new(Vec::new(), Some(code));
        let text = std::fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for page in lines.chunks(4) {
            let raw: usize = page
                .iter()
                .flat_map(|line| langid::Identify::runs(&identifier, line))
                .filter(|(language, _)| *language == code)
                .map(|(_, run)| run.len())
                .sum();
            let page: Vec<String> = page.iter().map(|&line| line.to_owned()).collect();
            pages += usize::from(raw > 200);
            if raw > 200 && bytes(&page, &identifier, code) == 0 {
                struck.push(format!("{code}: {page:?}"));
            }
        }
    }
    println!("{} of {pages} pages of four lines are taken for noise", struck.len());
    assert!(struck.len() * 300 <= pages, "{} of {pages}: {struck:#?}", struck.len());
}
