//! Training of a model of varieties from labelled text.

use super::features::Extractor;
use super::{
    is_variety_name, softmax, Class, Varieties, MAX_SCRIPTS, MAX_VARIETIES, MIN_WORDS,
    VARIETY_WORDS,
};
use crate::failure::BadPack;
use crate::words::{for_each_word, Script, Scripts};
use crate::LangCode;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Least number of lines with three words that a variety needs.
pub const MIN_VARIETY_LINES: usize = 20;

/// Most lines of a variety that are used. Of a longer text every n-th line is used.
const MAX_LINES: usize = 20_000;

/// Least lines that have a feature.
const MIN_COUNT: u32 = 4;

/// Most features of a model. 20,000 features of five varieties have 180 KB.
const MAX_FEATURES: usize = 20_000;

/// Passes over the training lines.
const PASSES: usize = 30;

/// First step of the gradient descent (AdaGrad; Duchi et al., 2011).
const RATE: f32 = 0.5;

/// Weight of half the squared weights in the loss of all lines (L2 regularization). Without it a
/// variety with little text is found only in text that resembles its training text.
const SHRINKAGE: f32 = 0.5;

/// Least share of the words in a script of the model.
const SCRIPT_SHARE: f64 = 0.1;

/// A text in one variety; lines are independent.
#[derive(Debug, Clone, Copy)]
pub struct VarietyText<'a> {
    /// The name of the variety, see [`is_variety_name`](crate::is_variety_name).
    pub variety: &'a str,
    /// Lines of the variety, in any number.
    pub text: &'a str,
}

/// A line of the training text.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub class: usize,
    /// Numbers of its features and their values.
    pub features: Vec<(u32, f32)>,
}

/// Returns the bytes of a model file of the varieties of a language. Several texts may be in the
/// same variety. Varieties have equal weight, however long their texts are. The same texts in the
/// same order give the same bytes.
///
/// # Errors
/// Fails if there are fewer than 2 or more than 64 varieties, a name is not allowed, or a variety
/// has fewer than [`MIN_VARIETY_LINES`] lines with three words. The message is one sentence.
pub fn train_varieties(language: LangCode, texts: &[VarietyText]) -> Result<Vec<u8>, BadPack> {
    let mut of_class: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for VarietyText { variety, text } in texts {
        if !is_variety_name(variety) {
            return Err(BadPack::VarietyName { name: variety.chars().take(40).collect() });
        }
        of_class.entry(variety).or_default().extend(text.lines());
    }
    if !(2..=MAX_VARIETIES).contains(&of_class.len()) {
        return Err(BadPack::Varieties { found: of_class.len(), most: MAX_VARIETIES });
    }
    let scripts = scripts(of_class.values().flatten().copied());
    let set: Scripts = scripts.iter().copied().collect();
    let (mut lines, mut classes) = (Vec::new(), Vec::new());
    let mut extractor = Extractor::new(set, VARIETY_WORDS);
    for (number, (variety, text)) in of_class.iter().enumerate() {
        let before = lines.len();
        let step = text.len().div_ceil(MAX_LINES).max(1);
        for line in text.iter().step_by(step) {
            if extractor.read(line) >= MIN_WORDS {
                lines.push(Line { class: number, features: extractor.features() });
            }
        }
        let found = lines.len() - before;
        if found < MIN_VARIETY_LINES {
            let (variety, words) = ((*variety).to_owned(), MIN_WORDS);
            return Err(BadPack::VarietyLines { variety, found, words, needed: MIN_VARIETY_LINES });
        }
        let name = (*variety).to_owned();
        classes.push(Class { name, lines: found as u32, bias: 0.0 });
    }
    let importance = equal_weights(&lines, classes.len());
    let model = fitted(language, set, classes, lines, &importance);
    Ok(model.write(&scripts))
}

/// The weight of a line of each class, so that classes have equal weight.
fn equal_weights(lines: &[Line], classes: usize) -> Vec<f32> {
    let mut of_class = vec![0f32; classes];
    lines.iter().for_each(|line| of_class[line.class] += 1.0);
    let all = lines.len() as f32;
    of_class.iter().map(|count| all / (classes as f32 * count.max(1.0))).collect()
}

/// Returns the model of some lines. `importance` is the weight of a line of each class.
pub(super) fn fitted(
    language: LangCode,
    scripts: Scripts,
    mut classes: Vec<Class>,
    mut lines: Vec<Line>,
    importance: &[f32],
) -> Varieties {
    let keys = number_features(&mut lines, |count| count >= MIN_COUNT);
    let weights = fit(&lines, keys.len(), importance);
    // Most features weigh little. The largest ones are kept and fitted again.
    let kept = largest(&lines, &weights, classes.len());
    let keys: Vec<u32> = kept.iter().map(|&feature| keys[feature as usize]).collect();
    let new: FxHashMap<u32, u32> = kept.iter().zip(0..).map(|(&old, new)| (old, new)).collect();
    for line in &mut lines {
        line.features
            .retain_mut(|(feature, _)| new.get(feature).map(|&number| *feature = number).is_some());
    }
    let weights = fit(&lines, keys.len(), importance);
    let (weights, biases) = weights.split_at(keys.len() * classes.len());
    classes.iter_mut().zip(biases).for_each(|(class, &bias)| class.bias = bias);
    let most = weights.iter().fold(0f32, |most, weight| most.max(weight.abs()));
    let step = most.max(f32::MIN_POSITIVE) / f32::from(i8::MAX);
    let weights = weights.iter().map(|weight| (weight / step).round() as i8).collect();
    Varieties { language, scripts, classes, step, keys, weights }
}

/// The scripts that have at least a tenth of the words, by code.
pub(super) fn scripts<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Script> {
    let mut counts: BTreeMap<Script, u64> = BTreeMap::new();
    for line in lines {
        for_each_word(line, |word| *counts.entry(word.script).or_default() += 1);
    }
    let all: u64 = counts.values().sum();
    counts.retain(|_, count| *count as f64 >= SCRIPT_SHARE * all as f64);
    counts.into_keys().take(MAX_SCRIPTS).collect()
}

/// Replaces the hashes of features by numbers, and returns the hashes in ascending order. Features
/// whose number of lines is not `enough` are removed.
fn number_features(lines: &mut [Line], enough: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
    for (key, _) in lines.iter().flat_map(|line| &line.features) {
        *counts.entry(*key).or_default() += 1;
    }
    counts.retain(|_, count| enough(*count));
    let mut keys: Vec<u32> = counts.into_keys().collect();
    keys.sort_unstable();
    for line in lines {
        line.features.retain_mut(|(key, _)| {
            keys.binary_search(key).map(|number| *key = number as u32).is_ok()
        });
    }
    keys
}

/// The features with the largest products of weight and norm over the lines, in ascending order.
fn largest(lines: &[Line], weights: &[f32], classes: usize) -> Vec<u32> {
    let mut squares = vec![0f32; weights.len() / classes - 1];
    for (feature, value) in lines.iter().flat_map(|line| &line.features) {
        squares[*feature as usize] += value * value;
    }
    let mut ranked: Vec<(f32, u32)> = weights
        .chunks_exact(classes)
        .zip(&squares)
        .zip(0..)
        .map(|((weights, square), feature)| {
            let most = weights.iter().fold(0f32, |most, weight| most.max(weight.abs()));
            (most * square.sqrt(), feature)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut kept: Vec<u32> =
        ranked.into_iter().take(MAX_FEATURES).map(|(_, feature)| feature).collect();
    kept.sort_unstable();
    kept
}

/// Fits a multinomial logistic regression. Returns the weights of each feature for all classes, and
/// at the end the bias of each class.
fn fit(lines: &[Line], features: usize, importance: &[f32]) -> Vec<f32> {
    let classes = importance.len();
    // A feature's share of the regularization for each line that has it.
    let mut shrinkage = vec![0f32; features];
    for (feature, _) in lines.iter().flat_map(|line| &line.features) {
        shrinkage[*feature as usize] += 1.0;
    }
    shrinkage.iter_mut().for_each(|count| *count = SHRINKAGE / *count);
    // The bias is not regularized.
    shrinkage.push(0.0);
    let size = (features + 1) * classes;
    let (mut weights, mut squares) = (vec![0f32; size], vec![1e-6f32; size]);
    let mut order: Vec<u32> = (0..lines.len() as u32).collect();
    let mut random = 0x2545_F491_4F6C_DD1Du64;
    let mut scores = vec![0f32; classes];
    for _ in 0..PASSES {
        shuffle(&mut order, &mut random);
        for &number in &order {
            let line = &lines[number as usize];
            let terms = || line.features.iter().copied().chain([(features as u32, 1.0)]);
            scores.fill(0.0);
            for (feature, value) in terms() {
                let at = feature as usize * classes;
                let weights = &weights[at..at + classes];
                scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += value * weight);
            }
            softmax(&mut scores);
            scores[line.class] -= 1.0;
            scores.iter_mut().for_each(|error| *error *= importance[line.class]);
            for (feature, value) in terms() {
                let at = feature as usize * classes;
                let shrinkage = shrinkage[feature as usize];
                for (class, error) in scores.iter().enumerate() {
                    let (weight, square) = (&mut weights[at + class], &mut squares[at + class]);
                    let gradient = error * value + shrinkage * *weight;
                    *square += gradient * gradient;
                    *weight -= RATE * gradient / square.sqrt();
                }
            }
        }
    }
    weights
}

/// Shuffles (Fisher and Yates) with the generator xorshift64*.
fn shuffle(order: &mut [u32], random: &mut u64) {
    for end in (1..order.len()).rev() {
        *random ^= *random >> 12;
        *random ^= *random << 25;
        *random ^= *random >> 27;
        let number = random.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        order.swap(end, number as usize % (end + 1));
    }
}
