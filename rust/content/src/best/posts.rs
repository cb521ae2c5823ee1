//! Posts of a forum: a program writes all of them in the same elements, so they are main content
//! together.

use super::measure::Features;
use crate::Page;
use foldhash::{HashMap, HashMapExt};

/// Least mean probability of the blocks of a group that raises the others.
const MIN_MEAN: f32 = 0.3;
/// Least share of links, in bytes, of a block that is not raised.
const MIN_LINKED: f32 = 0.5;
/// Share of the mean in a raised probability.
const OF_MEAN: f32 = 0.7;

/// Raises the probabilities of blocks towards the mean of their group: the blocks in elements with
/// the same tag and class on three levels. No probability is lowered, because a quotation or a
/// signature in a post has elements of its own.
pub(super) fn spread(page: &Page, features: &Features, weights: &[f32], probabilities: &mut [f32]) {
    let groups: Vec<u64> = page.blocks().iter().map(|block| features.template(block)).collect();
    let mut sums: HashMap<u64, (f32, f32)> = HashMap::new();
    for ((group, weight), probability) in groups.iter().zip(weights).zip(&*probabilities) {
        let sum = sums.entry(*group).or_default();
        sum.0 += weight * probability;
        sum.1 += weight;
    }
    for ((block, group), probability) in page.blocks().iter().zip(&groups).zip(probabilities) {
        let (kept, all) = sums[group];
        let is_linked = block.linked_bytes as f32 >= MIN_LINKED * block.text.len() as f32;
        if kept >= MIN_MEAN * all && !is_linked {
            *probability = probability.max(OF_MEAN * kept / all + (1.0 - OF_MEAN) * *probability);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Features;
    use crate::{parse, Limits};

    /// The probabilities after the spread. The page is a menu of two links, and four posts with the
    /// same elements.
    fn spread(mut probabilities: [f32; 6]) -> [f32; 6] {
        let page = parse(
            "<ul class=menu><li><a href=/a>Nyumbani kwetu</a></li><li><a href=/b>Habari zote</a></li></ul>\
             <div class=post><p>Nina swali kuhusu mbegu za mahindi.</p></div>\
             <div class=post><p>Panda kabla ya mvua za masika.</p></div>\
             <div class=post><p>Asante.</p></div>\
             <div class=post><p>Karibu tena.</p></div>",
            &Limits::default(),
        );
        assert_eq!(page.blocks().len(), 6);
        let features = Features::of(&page);
        super::spread(&page, &features, &features.weights(), &mut probabilities);
        probabilities
    }

    #[test]
    fn a_short_reply_is_raised_by_the_posts_around_it_and_a_link_is_not() {
        let raised = spread([0.6, 0.1, 0.9, 0.8, 0.1, 0.2]);
        assert!(raised[4] > 0.5 && raised[5] > 0.5, "{raised:?}");
        assert_eq!((raised[0], raised[1]), (0.6, 0.1), "links");
        assert!(raised[2] >= 0.9 && raised[3] >= 0.8, "{raised:?}");
    }

    #[test]
    fn a_group_that_is_mostly_dropped_raises_nothing() {
        let before = [0.0, 0.0, 0.1, 0.1, 0.9, 0.1];
        assert_eq!(spread(before), before);
    }
}
