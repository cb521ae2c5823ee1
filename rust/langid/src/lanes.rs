//! Arithmetic on the costs of a script's languages.
//!
//! Every language has a number in rows of the same length, a multiple of [`LANES`]. The loops have
//! no branches and no calls, so that the compiler writes them with the vector instructions that
//! every processor of a platform has (SSE2, NEON), and no rest of a row is left.

/// Rows of numbers have a multiple of this length: the bytes of a vector register.
pub(crate) const LANES: usize = 16;

/// Returns numbers as a row; `rest` fills the last places.
pub(crate) fn row(numbers: impl Iterator<Item = u16>, rest: u16) -> Vec<u16> {
    let mut row: Vec<u16> = numbers.collect();
    row.resize(row.len().next_multiple_of(LANES), rest);
    row
}

/// The costs of a word in all languages of a script: the least, and the highest above it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bounds {
    pub least: u16,
    pub most: u16,
}

/// Subtracts the least cost from every cost. Costs with a mask of ones are those of no result: they
/// count for no bound, and become the highest difference. The other masks are zero.
#[inline(never)]
pub(crate) fn relate(costs: &mut [u16], no_result: &[u16]) -> Bounds {
    let masked = || costs.iter().zip(no_result);
    let least = masked().fold(u16::MAX, |least, (&cost, &mask)| least.min(cost | mask));
    let highest = masked().fold(0, |most: u16, (&cost, &mask)| most.max(cost & !mask));
    let most = highest.saturating_sub(least);
    for (cost, &mask) in costs.iter_mut().zip(no_result) {
        *cost = (cost.wrapping_sub(least) & !mask) | (most & mask);
    }
    Bounds { least, most }
}

/// Adds costs to sums, and `letters` to the wins of each cost of at most `near`. The sums must not
/// overflow.
#[inline(never)]
pub(crate) fn add(sums: &mut [u16], wins: &mut [u16], costs: &[u16], near: u16, letters: u16) {
    for ((sum, wins), &cost) in sums.iter_mut().zip(wins).zip(costs) {
        *sum = sum.wrapping_add(cost);
        *wins = wins.wrapping_add(if cost <= near { letters } else { 0 });
    }
}

/// Adds numbers to sums, and sets them to zero.
pub(crate) fn move_to(sums: &mut [u64], numbers: &mut [u16]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += u64::from(std::mem::take(number));
    }
}

/// Adds a word's costs to the costs of paths, which become relative to `from`. A path that costs
/// more than a change to its language is replaced by the change, and has `here` in `last`. Returns
/// whether there is any.
#[inline(never)]
pub(crate) fn advance(
    paths: &mut [u16],
    last: &mut [u32],
    costs: &[u16],
    changes: &[u16],
    from: u16,
    here: u32,
) -> bool {
    let mut any = 0;
    for (((path, last), &cost), &change) in paths.iter_mut().zip(last).zip(costs).zip(changes) {
        let stay = path.wrapping_sub(from);
        let saved = stay.saturating_sub(change);
        any |= saved;
        *last = if saved == 0 { *last } else { here };
        *path = stay.wrapping_sub(saved).saturating_add(cost);
    }
    any != 0
}

/// Returns the index of the least number, the first of equals, and the number. Two passes, the
/// minimum and its position, because each can be vectorised.
pub(crate) fn least(numbers: &[u16]) -> (usize, u16) {
    const STEP: usize = 2 * LANES;
    let least = numbers.iter().fold(u16::MAX, |least, &number| least.min(number));
    let has = |part: &[u16]| part.iter().fold(false, |has, &number| has | (number == least));
    let part = numbers.chunks(STEP).position(has).unwrap_or(0) * STEP;
    let at = numbers.iter().skip(part).position(|&number| number == least).unwrap_or(0);
    (part + at, least)
}

/// Adds the costs of a letter to sums.
pub(crate) fn add_letter(sums: &mut [u16], letter: &[u8]) {
    for (sum, &cost) in sums.iter_mut().zip(letter) {
        *sum = sum.wrapping_add(u16::from(cost));
    }
}

/// Adds the costs of four letters to sums.
#[inline(never)]
pub(crate) fn add_letters(sums: &mut [u16], letters: [&[u8]; 4]) {
    let [one, two, three, four] = letters;
    for ((((sum, &one), &two), &three), &four) in
        sums.iter_mut().zip(one).zip(two).zip(three).zip(four)
    {
        let pairs = [u16::from(one) + u16::from(two), u16::from(three) + u16::from(four)];
        *sum = sum.wrapping_add(pairs[0] + pairs[1]);
    }
}

/// Counts the back-offs of a letter: the characters that its n-gram is shorter than `longest` and
/// than the n-gram of the letter before it with one more character.
#[inline(never)]
pub(crate) fn back_off(counts: &mut [u8], before: &[u8], lengths: &[u8], longest: u8) {
    for ((count, &before), &length) in counts.iter_mut().zip(before).zip(lengths) {
        *count = count.wrapping_add(before.wrapping_add(1).min(longest).saturating_sub(length));
    }
}

/// The same for the first letter of a word, after an edge, which is an n-gram of one character.
pub(crate) fn back_off_edge(counts: &mut [u8], lengths: &[u8]) {
    for (count, &length) in counts.iter_mut().zip(lengths) {
        *count = count.wrapping_add(2u8.saturating_sub(length));
    }
}

/// Adds the cost of back-offs to sums.
pub(crate) fn add_back_offs(sums: &mut [u16], counts: &[u8], cost: u16) {
    for (sum, &count) in sums.iter_mut().zip(counts) {
        *sum = sum.wrapping_add(u16::from(count) * cost);
    }
}
