//! The identifier takes the generated text for the language that it was written in.
#![allow(clippy::unwrap_used)]

use corpulyzer_web::world::grammars;
use langbytes::LangCode;

#[test]
fn the_identifier_agrees_on_at_least_97_percent_of_the_bytes_of_every_language() {
    let identifier = langbytes::Combined::new(Vec::new(), None);
    for (language, grammar) in grammars().unwrap() {
        let code: LangCode = language.parse().unwrap();
        let (mut right, mut all) = (0, 0);
        let mut worst: Vec<(usize, String)> = Vec::new();
        for seed in 0..10 {
            for topic in grammar.topics() {
                let article = grammar.article(topic, 15, &mut fastrand::Rng::with_seed(seed));
                for paragraph in &article.paragraphs {
                    let counted = langbytes::count(&[paragraph], &identifier);
                    let own = counted.bytes(code) as usize;
                    right += own;
                    all += paragraph.len();
                    if own < paragraph.len() {
                        worst.push((paragraph.len() - own, format!("{counted:?} {paragraph}")));
                    }
                }
            }
        }
        worst.sort_by_key(|(wrong, _)| std::cmp::Reverse(*wrong));
        let share = 100.0 * right as f64 / all as f64;
        println!("{language}: {share:.2} % of {all} bytes");
        assert!(
            share >= 97.0,
            "{language}: {share:.2} %, worst: {:#?}",
            &worst[..worst.len().min(3)]
        );
    }
}
