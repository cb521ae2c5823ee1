//! Decides the blocks of a page together, in their order.
//!
//! Main content and boilerplate come in runs of blocks. Therefore each change between a kept block
//! and a dropped block has a cost. The decision is the cheapest sequence (Viterbi's algorithm).

/// Cost of a change between kept and dropped, in units of log-odds.
const CHANGE: f32 = 0.05;
/// From this number of letters, a block's score counts fully.
const FULL: f32 = 40.0;
/// Scores are cut to this distance from 0 and 1, so that the log-odds are finite.
const MARGIN: f32 = 1e-4;

/// Returns for each block whether it is kept. The gain of a kept block is the difference between
/// its log-odds and those of the threshold, in proportion to its letters up to [`FULL`]. If no
/// block would be kept, the blocks that reach the threshold are kept.
pub(super) fn decide(probabilities: &[f32], weights: &[f32], threshold: f32) -> Vec<bool> {
    let odds = |probability: f32| {
        let probability = probability.clamp(MARGIN, 1.0 - MARGIN);
        (probability / (1.0 - probability)).ln()
    };
    let usual = odds(threshold);
    let gain = |(probability, letters): (&f32, &f32)| {
        (odds(*probability) - usual) * (letters.max(1.0) / FULL).min(1.0)
    };
    // `dropped` and `kept`: the best sum so far if the last block is dropped, and if it is kept.
    // `before`: for each block and both cases, whether the previous block is kept.
    let (mut dropped, mut kept) = (0.0, 0.0);
    let mut before = Vec::with_capacity(probabilities.len());
    for gain in probabilities.iter().zip(weights).map(gain) {
        let from_kept = kept - CHANGE > dropped;
        let stays_kept = kept >= dropped - CHANGE;
        before.push([from_kept, stays_kept]);
        let other = if from_kept { kept - CHANGE } else { dropped };
        kept = gain + if stays_kept { kept } else { dropped - CHANGE };
        dropped = other;
    }
    let mut decision = kept > dropped;
    let mut decisions = vec![false; probabilities.len()];
    for (at, before) in before.iter().enumerate().rev() {
        decisions[at] = decision;
        decision = before[usize::from(decision)];
    }
    if !decisions.contains(&true) {
        let reaches = |probability: &f32| *probability >= threshold;
        decisions = probabilities.iter().map(reaches).collect();
    }
    decisions
}

#[cfg(test)]
mod tests {
    use super::decide;

    #[test]
    fn a_short_doubtful_block_goes_with_its_neighbours() {
        let weights = [300.0, 5.0, 300.0, 300.0, 5.0, 300.0];
        let decisions = decide(&[0.9, 0.45, 0.9, 0.1, 0.55, 0.1], &weights, 0.5);
        assert_eq!(decisions, [true, true, true, false, false, false]);
    }

    #[test]
    fn a_clear_block_is_decided_by_itself() {
        let weights = [300.0, 300.0, 300.0];
        assert_eq!(decide(&[0.9, 0.1, 0.9], &weights, 0.5), [true, false, true]);
        assert_eq!(decide(&[0.0, 1.0, 0.0], &weights, 0.5), [false, true, false]);
    }

    #[test]
    fn a_page_with_only_low_scores_keeps_what_reaches_the_threshold() {
        assert_eq!(decide(&[0.04, 0.02], &[1.0, 1.0], 0.04), [true, false]);
        assert!(decide(&[], &[], 0.0).is_empty());
    }
}
