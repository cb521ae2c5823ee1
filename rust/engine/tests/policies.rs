//! Which pages are kept under which policy, and what decided.
#![allow(clippy::unwrap_used)]

use content::Extractor;
use engine::{Engine, PageHints, PageRecord, Policy, Settings, Stage};

const URDU: &str =
    "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے اور نوجوان شاعروں نے تازہ کلام سنایا۔ ";
const ENGLISH: &str =
    "The river rose during the night and the ferry could not leave before noon, so the market opened late. ";
const PERSIAN: &str =
    "کتابخانه شهر از فردا صبح درهای خود را به روی همه شهروندان باز می‌کند و برنامه‌های تازه‌ای دارد. ";
const ARABIC: &str =
    "افتتحت المدرسة الجديدة أبوابها اليوم أمام تلاميذ الحي بعد عامين من البناء وقالت المديرة إنها سعيدة. ";

fn record(target: &str, page: &str, change: impl FnOnce(&mut Settings)) -> PageRecord {
    let mut settings = Settings::new(target.parse().unwrap());
    settings.extractor = Extractor::Text;
    change(&mut settings);
    Engine::new(settings).unwrap().page(page.as_bytes(), &PageHints::default())
}

fn recall(target: &str, page: &str) -> PageRecord {
    record(target, page, |settings| settings.policy = Policy::Recall)
}

/// A page in which one language comes so many times, and then another.
fn page(first: (&str, usize), second: (&str, usize)) -> String {
    format!("<p>{}</p><p>{}</p>", first.0.repeat(first.1), second.0.repeat(second.1))
}

#[test]
fn recall_asks_stage_after_stage_until_one_decides() {
    let short = |text: &str| format!("<p>{text}</p>");
    let long = |text: &str| format!("<p>{}</p>", text.repeat(10));
    let tagged = |tag: &str, text: &str| format!("<html lang='{tag}'><p>{text}</p></html>");
    let hidden = format!("<p>{0}{1}{0}</p>", ENGLISH.repeat(6), "کتاب ہے ");
    // Between the first excerpt and the second.
    let hidden_share =
        format!("<p>{}{}{}</p>", ENGLISH.repeat(2), URDU.repeat(2), ENGLISH.repeat(6));
    #[rustfmt::skip]
    let table: [(&str, String, &str, Option<Stage>); 20] = [
        ("urd", tagged("ur", &URDU.repeat(5)),   "keep declared as urd", Some(Stage::Declared)),
        ("urd", tagged("ur-PK", ENGLISH),        "keep declared as urd", Some(Stage::Declared)),
        ("urd", tagged("fa", &URDU.repeat(5)),   "keep 3 of 3 excerpts in urd", Some(Stage::Excerpts)),
        ("urd", tagged("en", URDU),              "keep at least 2 % of urd", Some(Stage::Set)),
        ("urd", long(PERSIAN),                   "reject mostly fas, a sibling of urd", Some(Stage::Identifier)),
        ("urd", short(ARABIC),                   "reject mostly ara, a sibling of urd", Some(Stage::Identifier)),
        ("urd", long(ENGLISH),                   "reject no letters of urd", Some(Stage::Letters)),
        ("urd", page((ENGLISH, 8), (URDU, 2)),   "keep 1 of 3 excerpts in urd", Some(Stage::Excerpts)),
        ("urd", hidden_share,                    "keep at least 2 % of urd", Some(Stage::Set)),
        ("urd", hidden,                          "keep letters of urd", Some(Stage::Letters)),
        ("urd", String::new(),                   "reject no_content", None),
        ("urd", tagged("ur", " "),               "reject no_content", None),
        ("ara", tagged("ar", URDU),              "keep declared as ara", Some(Stage::Declared)),
        ("ara", long(ARABIC),                    "keep 3 of 3 excerpts in ara", Some(Stage::Excerpts)),
        ("ara", long(PERSIAN),                   "reject mostly fas, a sibling of ara", Some(Stage::Identifier)),
        ("ara", page((ENGLISH, 8), ("كتاب ", 1)), "keep letters of ara", Some(Stage::Letters)),
        ("ara", page((ENGLISH, 8), ("گھر ", 1)), "reject no letters of ara", Some(Stage::Letters)),
        ("fas", page((ARABIC, 8), (PERSIAN, 2)), "keep 1 of 3 excerpts in fas", Some(Stage::Excerpts)),
        ("fra", long(ENGLISH),                   "reject mostly eng", Some(Stage::Identifier)),
        ("fra", tagged("fr, en", ENGLISH),       "keep declared as fra", Some(Stage::Declared)),
    ];
    for (number, (target, page, decision, stage)) in table.into_iter().enumerate() {
        let found = recall(target, &page);
        assert_eq!(
            (found.decision.to_string().as_str(), found.stage),
            (decision, stage),
            "page {number}"
        );
    }
}

#[test]
fn a_page_with_a_fifth_in_the_language_is_kept_by_recall_and_not_by_precision() {
    for text in [page((ENGLISH, 16), (URDU, 4)), page((URDU, 4), (ENGLISH, 16))] {
        let found = recall("urd", &text);
        assert!(found.decision.keep, "{}", found.decision);
        assert_eq!(found.languages.most_first()[0].0.as_str(), "eng");
        let strict = record("urd", &text, |settings| settings.min_bytes = 2000);
        assert_eq!(
            (strict.decision.keep, strict.stage),
            (false, Some(Stage::Bytes)),
            "{}",
            strict.decision
        );
        assert_eq!(strict.language_set, found.language_set);
        let shares = found.language_set.to_string();
        assert!(found.language_set.has("urd".parse().unwrap(), 15), "{shares}");
        assert!(!found.language_set.has("urd".parse().unwrap(), 30), "{shares}");
        assert_eq!(found.excerpts.unwrap().to_string(), "1/3");
    }
}

#[test]
fn the_least_share_can_be_set() {
    let text = page((ENGLISH, 12), (URDU, 2));
    let with = |percent| {
        record("urd", &text, |settings| {
            (settings.policy, settings.excerpts, settings.min_percent) =
                (Policy::Recall, 0, percent)
        })
    };
    assert_eq!((with(2).stage, with(2).excerpts), (Some(Stage::Set), None));
    assert_eq!(with(50).stage, Some(Stage::Letters));
}

#[test]
fn excerpts_can_be_set() {
    let text = format!("<p>{}</p>", URDU.repeat(20));
    let found =
        record("urd", &text, |settings| (settings.excerpts, settings.excerpt_chars) = (7, 60));
    assert_eq!(found.excerpts.unwrap().to_string(), "7/7");
    let found = record("urd", &text, |settings| settings.excerpt_min_chars = 100_000);
    assert_eq!(found.excerpts, None);
}

#[test]
fn junk_is_rejected_under_either_policy_and_its_bytes_count() {
    let text = format!("<html lang=ur><p>{}</p>", URDU.repeat(30));
    for policy in [Policy::Precision, Policy::Recall] {
        let found = record("urd", &text, |settings| settings.policy = policy);
        let reason = found.decision.to_string();
        assert!(reason.starts_with("reject junk: repetition, "), "{reason}");
        assert_eq!(found.stage, Some(Stage::Junk));
        assert!(found.target_bytes > 5000);
        let kept = record("urd", &text, |settings| {
            (settings.policy, settings.reject_junk) = (policy, false)
        });
        assert!(kept.decision.keep && kept.junk == found.junk, "{}", kept.decision);
    }
}

#[test]
fn a_declared_language_that_is_a_novel_is_cut() {
    let found = recall("urd", &format!("<html lang='ur{}'><p>{ENGLISH}</p>", "x".repeat(1000)));
    assert_eq!(found.declared_language.unwrap().len(), 64);
    assert_ne!(found.stage, Some(Stage::Declared));
}

#[test]
fn a_record_in_json_has_the_set_in_percent_and_leaves_out_what_is_not() {
    let found = record("urd", &page((URDU, 5), (ENGLISH, 5)), |_| ());
    let json = serde_json::to_value(&found).unwrap();
    assert_eq!(json["language_set"].as_object().unwrap().len(), 2, "{json}");
    assert_eq!((&json["excerpts"], &json["stage"]), (&"2/3".into(), &"bytes".into()), "{json}");
    assert!(json.get("junk").is_none());
    let empty = serde_json::to_value(record("urd", "", |_| ())).unwrap();
    assert!(empty.get("stage").is_none() && empty.get("excerpts").is_none(), "{empty}");
}

/// A page of Urdu, Persian, Arabic and English paragraphs.
fn mixed(counts: [usize; 4]) -> String {
    let texts = [URDU, PERSIAN, ARABIC, ENGLISH];
    texts.iter().zip(counts).map(|(text, count)| format!("<p>{}</p>", text.repeat(count))).collect()
}

fn of_targets(targets: &str, page: &str, policy: Policy) -> PageRecord {
    record("urd", page, |settings| {
        (settings.targets, settings.policy) = (targets.parse().unwrap(), policy);
        settings.reject_junk = false;
    })
}

#[test]
fn with_several_targets_a_page_is_kept_for_each_that_alone_keeps_it() {
    let targets = ["ara", "fas", "urd"];
    let mut kept_for = [0; 4];
    for policy in [Policy::Precision, Policy::Recall] {
        for counts in (0..81).map(|n| [n % 3, n / 3 % 3, n / 9 % 3, n / 27 % 3].map(|n| n * 2)) {
            let page = mixed(counts);
            let all = of_targets("urd,fas,ara", &page, policy);
            let alone = targets.map(|target| of_targets(target, &page, policy));
            let keepers: Vec<&str> = targets
                .into_iter()
                .zip(&alone)
                .filter(|(_, record)| record.decision.keep)
                .map(|(target, _)| target)
                .collect();
            kept_for[keepers.len()] += 1;
            assert_eq!(all.languages, alone[0].languages);
            let sum: u64 = alone.iter().map(|record| record.target_bytes).sum();
            assert_eq!(all.target_bytes, sum);
            assert_eq!(all.decision.keep, !keepers.is_empty(), "{counts:?}: {}", all.decision);
            if all.decision.keep {
                let begin = format!("keep for {}: ", keepers.join(","));
                let decision = all.decision.to_string();
                let reason = decision.strip_prefix(&begin).unwrap_or_else(|| panic!("{decision}"));
                let mut of_one = alone.iter().filter(|record| {
                    record.decision.keep
                        && record.decision.reason == reason
                        && record.stage == all.stage
                });
                assert!(of_one.next().is_some(), "{decision}");
            } else {
                assert!(!all.decision.to_string().contains(" for "), "{}", all.decision);
            }
        }
    }
    assert!(kept_for.iter().all(|&pages| pages >= 2), "{kept_for:?}");
}

#[test]
fn the_reason_of_several_targets_is_that_of_the_largest_kept_one() {
    let found = of_targets("urd,fas,ara", &mixed([4, 6, 0, 1]), Policy::Precision);
    let decision = found.decision.to_string();
    let bytes = found.languages.bytes("fas".parse().unwrap());
    assert_eq!(decision, format!("keep for fas,urd: {bytes} bytes of fas, 256 wanted"));
    let found = of_targets("urd,fas", &mixed([0, 1, 0, 9]), Policy::Precision);
    let bytes = found.languages.bytes("fas".parse().unwrap());
    assert_eq!(found.decision.to_string(), format!("reject {bytes} bytes of fas, 256 wanted"));
    let found = of_targets("urd,fas", &mixed([5, 5, 0, 0]), Policy::Precision);
    assert_eq!(found.excerpts.unwrap().to_string(), "3/3", "in either language");
}

/// Sentences in Rundi. CLD2 takes the first nine for Kinyarwanda, and the models do not.
const RUNDI: [&str; 20] = [
    "Umwana wacu yaje ejo mugabo imvura yaguye.",
    "Umwana wacu yaje ejo kubera ko bwari bwije.",
    "Mama yaguze ibitabu kandi ntiyagarutse.",
    "Mama yaje ejo imbere y'uko izuba rirenga.",
    "Umurimyi yaje ejo kubera ko bwari bwije.",
    "Mugenzi wanje yaje ejo mugabo imvura yaguye.",
    "Nyokuru yaje ejo imbere y'uko izuba rirenga.",
    "Uwo mugabo yaje ejo ku musi wa gatanu.",
    "Uwo mugabo yaje ejo imbere y'uko izuba rirenga.",
    "Nyokuru yubatse inzu nshasha ariko ntiyaronse ico yashaka.",
    "Mama aragura umukate mugabo imvura yaguye.",
    "Mugenzi wanje yaje ejo mu gatondo.",
    "Umurimyi arasoma igitabu mugabo imvura yaguye.",
    "Data araririmba hamwe n'umugenzi wiwe.",
    "Mugenzi wanje arakora mu murima ariko ntiyaronse ico yashaka.",
    "Umurimyi yateye ibiharage ku musi wa gatanu.",
    "Mama aravuga ikirundi neza kandi ntiyagarutse.",
    "Umwigisha yaguze ibitabu imbere y'uko izuba rirenga.",
    "Data yagiye kw'isoko mu gatondo.",
    "Nyokuru araririmba musi y'igiti kinini.",
];

#[test]
fn the_declared_language_of_a_page_helps_to_tell_it_from_a_close_one() {
    let text = RUNDI.map(|sentence| format!("<p>{sentence}</p>")).concat();
    let bytes = |tag| record("run", &format!("<html lang='{tag}'>{text}"), |_| {}).target_bytes;
    let all = bytes("rn");
    assert!(bytes("en") * 10 < all * 7, "{} of {all}", bytes("en"));
    assert_eq!(bytes("en"), bytes(""));
}
