//! Classes of pages: training, validation, files.
#![allow(clippy::unwrap_used)]

use langid::{train_classes, Classes, Labelled, MIN_CLASS_TEXTS};

/// Texts of a made-up class: most words are of its own stock, the others of one that all share.
fn texts(own: &[&str], count: usize) -> Vec<String> {
    let common = ["road", "house", "water", "morning", "people", "name", "year", "side"];
    let text = |number: usize| {
        let word = |step: usize| own[(number * step + step) % own.len()];
        let shared = |step: usize| common[(number * step + 1) % common.len()];
        let parts = [shared(3), word(1), shared(5), word(5), word(7), shared(7), word(11)];
        parts.join(" ") + "."
    };
    (0..count).map(text).collect()
}

const FARM: [&str; 8] =
    ["barley", "plough", "cattle", "meadow", "harvest", "stable", "milk", "hay"];
const COURT: [&str; 8] =
    ["judge", "verdict", "appeal", "lawyer", "witness", "statute", "clerk", "trial"];

fn labelled<'a>(class: &'a str, texts: &'a [String], group: &'a str) -> Vec<Labelled<'a>> {
    texts.iter().map(|text| Labelled { class, group, text }).collect()
}

#[test]
fn classes_of_unseen_texts_are_found_with_calibrated_confidence() {
    let (farm, court) = (texts(&FARM, 60), texts(&COURT, 30));
    let all = [labelled("farming", &farm, ""), labelled("law, courts", &court, "")].concat();
    let (bytes, found) = train_classes(&all).unwrap();
    assert_eq!((found.texts, found.groups, found.short), (90, 90, 0));
    assert!(found.right >= 88, "{found:?}");
    let names: Vec<(&str, usize)> =
        found.classes.iter().map(|class| (class.name.as_str(), class.texts)).collect();
    assert_eq!(names, [("farming", 60), ("law, courts", 30)]);
    assert!(found.calibration_error < 0.1, "{found:?}");
    let model = Classes::of_bytes(&bytes).unwrap();
    let farm = model.probabilities("The cattle stood in the meadow beside the stable.").unwrap();
    let court = model.probabilities("The lawyer asked the witness about the verdict.").unwrap();
    assert!(farm[0] > 0.7 && court[1] > 0.7, "{farm:?} {court:?}");
    assert!((farm.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    assert_eq!(model.probabilities("two words"), None);
    assert_eq!(model.probabilities("متن به زبان دیگر است"), None, "another script");
    assert_eq!(train_classes(&all).unwrap().0, bytes, "the same texts give the same bytes");
}

#[test]
fn confidence_is_low_where_labels_are_drawn_by_lot() {
    let all = texts(&FARM, 80);
    let by_lot = |(number, text)| {
        let class = if number * 7919 % 13 < 6 { "a" } else { "b" };
        Labelled { class, group: "", text }
    };
    let all: Vec<Labelled> = all.iter().map(String::as_str).enumerate().map(by_lot).collect();
    let (_, found) = train_classes(&all).unwrap();
    let sure = found.confident.iter().find(|of| of.least > 0.65).unwrap();
    assert!(sure.texts < 8, "{found:?}");
}

#[test]
fn texts_of_a_group_are_never_learned_from_and_tested_at_once() {
    // One host for each class: its name is all that its texts have in common.
    let host = |name: &str| (0..20).map(|n| format!("{name} {name} {name} n{n}q")).collect();
    let (one, other): (Vec<String>, Vec<String>) = (host("onesite"), host("othersite"));
    let grouped = [labelled("a", &one, "one.pk"), labelled("b", &other, "other.pk")].concat();
    let (_, found) = train_classes(&grouped).unwrap();
    assert_eq!((found.groups, found.right), (2, 0), "{found:?}");
    let alone = [labelled("a", &one, ""), labelled("b", &other, "")].concat();
    assert_eq!(train_classes(&alone).unwrap().1.right, 40);
}

#[test]
fn labels_and_files_that_do_not_fit_are_refused_in_one_sentence() {
    let (farm, few) = (texts(&FARM, 20), texts(&COURT, MIN_CLASS_TEXTS - 1));
    let refused = |all: &[Labelled]| train_classes(all).unwrap_err().to_string();
    let one = labelled("farming", &farm, "");
    assert_eq!(refused(&one), "found 1 class, allowed are 2 to 64");
    let said = refused(&[one.clone(), labelled("courts", &few, "")].concat());
    assert_eq!(said, "class `courts` has 9 texts with 3 words or more, needed are 10");
    let said = refused(&[one.clone(), labelled("a\nb", &farm, "")].concat());
    assert!(said.starts_with("\"a\\nb\" is no name of a class; allowed are"), "{said}");
    let court = texts(&COURT, 20);
    let (bytes, _) = train_classes(&[one, labelled("courts", &court, "")].concat()).unwrap();
    for end in 0..bytes.len() {
        assert!(Classes::of_bytes(&bytes[..end]).is_err(), "{end}");
    }
    let step = (bytes.len() / 300).max(1);
    for at in (0..bytes.len()).step_by(step) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x41;
        assert!(Classes::of_bytes(&damaged).is_err(), "{at}");
    }
}
