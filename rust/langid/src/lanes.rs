//! Arithmetic on the costs of a script's languages.
//!
//! Every language has a number in rows of the same length, a multiple of [`LANES`]. The loops have
//! no branches and no calls, so that the compiler uses the vector instructions that every processor
//! of a platform has (SSE2, NEON). A row fills whole vector registers.

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
    /// The least cost in a language of the library, above the least of all.
    pub library: u16,
}

/// Defines a function twice where that helps: for every processor of the platform and, on x86-64,
/// for those with AVX2, whose vectors are twice as long. The results are the same.
macro_rules! vectorised {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block
    )*) => {$(
        $(#[$doc])*
        pub(crate) fn $name($($arg: $type),*) $(-> $result)? {
            #[inline(always)]
            fn portable($($arg: $type),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2($($arg: $type),*) $(-> $result)? {
                    portable($($arg),*)
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has AVX2.
                    #[allow(unsafe_code)]
                    return unsafe { avx2($($arg),*) };
                }
            }
            portable($($arg),*)
        }
    )*};
}

vectorised! {
/// Subtracts the least cost from every cost. Costs with a mask of ones are those of no result: they
/// count for no bound, and become the highest difference. The other masks are zero.
fn relate(costs: &mut [u16], no_result: &[u16]) -> Bounds {
    let masked = || costs.iter().zip(no_result);
    let least = masked().fold(u16::MAX, |least, (&cost, &mask)| least.min(cost | mask));
    let highest = masked().fold(0, |most: u16, (&cost, &mask)| most.max(cost & !mask));
    let most = highest.saturating_sub(least);
    for (cost, &mask) in costs.iter_mut().zip(no_result) {
        *cost = (cost.wrapping_sub(least) & !mask) | (most & mask);
    }
    Bounds { least, most, library: 0 }
}

/// Adds costs to sums, and `letters` to the wins of each cost of at most `near`. The sums must not
/// overflow.
fn add(sums: &mut [u16], wins: &mut [u16], costs: &[u16], near: u16, letters: u16) {
    for ((sum, wins), &cost) in sums.iter_mut().zip(wins).zip(costs) {
        *sum = sum.wrapping_add(cost);
        *wins = wins.wrapping_add(if cost <= near { letters } else { 0 });
    }
}

/// Returns the least number that has no mask of ones; the other masks are zero.
fn least_of(numbers: &[u16], masks: &[u16]) -> u16 {
    numbers.iter().zip(masks).fold(u16::MAX, |least, (&number, &mask)| least.min(number | mask))
}

/// Like [`add`]; the costs whose mask has all bits set may be `further` above `near` to win.
fn add_beside(
    sums: &mut [u16],
    wins: &mut [u16],
    costs: &[u16],
    near: u16,
    letters: u16,
    further: u16,
    masks: &[u16],
) {
    for (((sum, wins), &cost), &mask) in sums.iter_mut().zip(wins).zip(costs).zip(masks) {
        *sum = sum.wrapping_add(cost);
        let is_won = cost.saturating_sub(further & mask) <= near;
        *wins = wins.wrapping_add(if is_won { letters } else { 0 });
    }
}

/// Adds numbers to sums, and sets them to zero.
fn move_to(sums: &mut [u64], numbers: &mut [u16]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += u64::from(std::mem::take(number));
    }
}

/// Adds a word's costs to the costs of paths, which become relative to `from`. A path that costs
/// more than a change to its language is replaced by the change, and has `here` in `last`. Returns
/// whether any path is replaced, and the least cost.
fn advance(
    paths: &mut [u16],
    last: &mut [u32],
    costs: &[u16],
    changes: &[u16],
    from: u16,
    here: u32,
) -> (bool, u16) {
    let (mut any, mut least) = (0, u16::MAX);
    for (((path, last), &cost), &change) in paths.iter_mut().zip(last).zip(costs).zip(changes) {
        let stay = path.wrapping_sub(from);
        let saved = stay.saturating_sub(change);
        any |= saved;
        *last = if saved == 0 { *last } else { here };
        *path = stay.wrapping_sub(saved).saturating_add(cost);
        least = least.min(*path);
    }
    (any != 0, least)
}

/// Returns the index of the first number that is equal to `wanted`; 0 if there is none.
fn position(numbers: &[u16], wanted: u16) -> usize {
    let has = |part: &[u16]| part.iter().fold(false, |has, &number| has | (number == wanted));
    let start = numbers.chunks(LANES).position(has).unwrap_or(0) * LANES;
    start + numbers.iter().skip(start).position(|&number| number == wanted).unwrap_or(0)
}

/// Adds the costs of a letter to sums.
fn add_letter(sums: &mut [u16], letter: &[u8]) {
    for (sum, &cost) in sums.iter_mut().zip(letter) {
        *sum = sum.wrapping_add(u16::from(cost));
    }
}

/// Adds the costs of four letters to sums.
fn add_letters(sums: &mut [u16], letters: [&[u8]; 4]) {
    let [one, two, three, four] = letters;
    for ((((sum, &one), &two), &three), &four) in
        sums.iter_mut().zip(one).zip(two).zip(three).zip(four)
    {
        let pairs = [u16::from(one) + u16::from(two), u16::from(three) + u16::from(four)];
        *sum = sum.wrapping_add(pairs[0] + pairs[1]);
    }
}

/// Counts the back-offs of a letter: the number of characters that its n-gram lacks. The full
/// length is that of the previous letter's n-gram plus one, at most `longest`.
fn back_off(counts: &mut [u8], before: &[u8], lengths: &[u8], longest: u8) {
    for ((count, &before), &length) in counts.iter_mut().zip(before).zip(lengths) {
        *count = count.wrapping_add(before.wrapping_add(1).min(longest).saturating_sub(length));
    }
}

/// Counts the back-offs of the first letter of a word. The edge before it is an n-gram of one
/// character.
fn back_off_edge(counts: &mut [u8], lengths: &[u8]) {
    for (count, &length) in counts.iter_mut().zip(lengths) {
        *count = count.wrapping_add(2u8.saturating_sub(length));
    }
}

/// Adds the cost of a letter to sums, with that of its back-offs, see [`back_off`].
fn extend(
    sums: &mut [u16],
    before: &[u8],
    letter: &[u8],
    lengths: &[u8],
    longest: u8,
    cost: u16,
) {
    let cells = before.iter().zip(letter).zip(lengths);
    for (sum, ((&before, &letter), &length)) in sums.iter_mut().zip(cells) {
        let count = before.wrapping_add(1).min(longest).saturating_sub(length);
        *sum = sum.wrapping_add(u16::from(letter)).wrapping_add(u16::from(count) * cost);
    }
}

/// Replaces numbers by lower ones.
fn lower(numbers: &mut [u16], others: &[u16]) {
    for (number, &other) in numbers.iter_mut().zip(others) {
        *number = (*number).min(other);
    }
}

/// Returns the places of the numbers that are at most `near` above their limit, as bits. There are
/// at most 128 numbers.
fn near(numbers: &[u16], limits: &[u16], near: u16) -> u128 {
    let is = numbers.iter().zip(limits).map(|(&number, &limit)| number.saturating_sub(limit));
    (0..).zip(is).fold(0, |bits, (place, above)| bits | u128::from(above <= near) << place)
}

/// Adds the cost of back-offs to sums.
fn add_back_offs(sums: &mut [u16], counts: &[u8], cost: u16) {
    for (sum, &count) in sums.iter_mut().zip(counts) {
        *sum = sum.wrapping_add(u16::from(count) * cost);
    }
}
}

/// Bytes of a line of the processor's caches.
const LINE: usize = 64;

/// Loads a part of a slice into the processor's caches, so that a later use does not wait for it.
/// Has no effect outside the slice, and on processors other than x86-64.
#[inline]
pub(crate) fn prefetch<T>(of: &[T], start: usize, count: usize) {
    let Some(part) = of.get(start..).and_then(|rest| rest.get(..count)) else { return };
    for at in (0..size_of_val(part)).step_by(LINE) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the address is in the slice, and a prefetch changes nothing but the caches.
        #[allow(unsafe_code)]
        unsafe {
            use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
            _mm_prefetch::<_MM_HINT_T0>(part.as_ptr().cast::<i8>().add(at));
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_lanes_are_computed_as_one(
            first in proptest::collection::vec(0u16..20_000, 1..200),
            second in proptest::collection::vec(0u16..20_000, 200),
            from in 0u16..100,
            number in 0usize..200,
        ) {
            compare(&first, &second, from, number);
        }
    }

    /// Compares the functions with the same computation for each number by itself.
    fn compare(first: &[u16], second: &[u16], from: u16, number: usize) {
        let numbers = row(first.iter().map(|number| number + from), 30_000);
        let second = &second[..numbers.len().min(200)];
        let numbers = &numbers[..second.len()];
        compare_paths(numbers, second, from);
        compare_relations(numbers, second);
        compare_sums(numbers, second);
        compare_back_offs(numbers, second);
        assert!(position(numbers, numbers[number % numbers.len()]) <= number % numbers.len());
    }

    /// Computes a number of each pair.
    fn each(numbers: &[u16], others: &[u16], of: impl Fn(u16, u16) -> u16) -> Vec<u16> {
        numbers.iter().zip(others).map(|(&one, &other)| of(one, other)).collect()
    }

    fn compare_paths(numbers: &[u16], costs: &[u16], from: u16) {
        let mut paths = numbers.to_vec();
        let mut last = vec![7; numbers.len()];
        let found = advance(&mut paths, &mut last, costs, costs, from, 9);
        let expected =
            each(numbers, costs, |path, cost| (path - from).min(cost).saturating_add(cost));
        assert_eq!(&paths, &expected);
        let changes = each(numbers, costs, |path, cost| if path - from > cost { 9 } else { 7 });
        assert!(last.iter().map(|&last| last as u16).eq(changes.iter().copied()));
        let least = expected.iter().copied().min().unwrap_or(u16::MAX);
        assert_eq!(found, (changes.contains(&9), least));
        let first = expected.iter().position(|&path| path == least);
        assert_eq!(Some(position(&expected, least)), first);
    }

    fn compare_relations(numbers: &[u16], others: &[u16]) {
        let masks = each(numbers, others, |_, other| if other % 3 == 0 { u16::MAX } else { 0 });
        let results = || {
            numbers.iter().zip(&masks).filter(|(_, mask)| **mask == 0).map(|(number, _)| *number)
        };
        if let Some((least, highest)) = results().min().zip(results().max()) {
            let mut above = numbers.to_vec();
            let bounds = relate(&mut above, &masks);
            assert_eq!((bounds.least, bounds.most), (least, highest - least));
            let relation = |number, mask| if mask == 0 { number - least } else { highest - least };
            assert_eq!(above, each(numbers, &masks, relation));
        }
    }

    fn compare_sums(numbers: &[u16], costs: &[u16]) {
        let (mut sums, mut wins) = (numbers.to_vec(), vec![1; numbers.len()]);
        add(&mut sums, &mut wins, costs, 10_000, 5);
        let expected = each(numbers, costs, |sum, cost| sum + cost);
        assert_eq!(&sums, &expected);
        assert_eq!(wins, each(numbers, costs, |_, cost| if cost <= 10_000 { 6 } else { 1 }));
        let mut moved = vec![3; sums.len()];
        move_to(&mut moved, &mut sums);
        assert!(moved.into_iter().eq(expected.into_iter().map(|sum| 3 + u64::from(sum))));
        assert!(sums.iter().all(|&sum| sum == 0));

        let mut sums = numbers.to_vec();
        let bytes: Vec<u8> = costs.iter().map(|&cost| cost as u8).collect();
        add_letter(&mut sums, &bytes);
        add_letters(&mut sums, [&bytes, &bytes, &bytes, &bytes]);
        assert_eq!(sums, each(numbers, costs, |sum, cost| sum + 5 * (cost & 0xff)));
    }

    fn compare_back_offs(numbers: &[u16], others: &[u16]) {
        let lengths: Vec<u8> = others.iter().map(|number| (number % 5) as u8).collect();
        let before: Vec<u8> = numbers.iter().map(|number| (number % 5) as u8).collect();
        let mut counts = vec![1; lengths.len()];
        back_off(&mut counts, &before, &lengths, 4);
        back_off_edge(&mut counts, &lengths);
        let expected = each(numbers, others, |before, length| {
            let (before, length) = (before % 5, length % 5);
            1 + (before + 1).min(4).saturating_sub(length) + 2u16.saturating_sub(length)
        });
        assert!(counts.iter().map(|&count| u16::from(count)).eq(expected.iter().copied()));
        let mut sums = numbers.to_vec();
        add_back_offs(&mut sums, &counts, 10);
        assert_eq!(sums, each(numbers, &expected, |sum, count| sum + 10 * count));
    }
}
