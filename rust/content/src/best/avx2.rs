//! The trees on x86-64 processors with AVX2, which look up 16 leaves with one instruction. The sums
//! are those of `Scorer::sums_everywhere`.

// Only for the call of code for AVX2, and for reading and writing vectors.
#![allow(unsafe_code)]

use super::forest::{Group, Scorer, FIT, LANES, SIDE_BY_SIDE};
use std::arch::x86_64::*;

/// Returns for each block the sum of its leaves; `None` if the processor has no AVX2.
pub(super) fn sums<const N: usize>(
    scorer: &mut Scorer,
    group: &Group<N>,
) -> Option<[i32; SIDE_BY_SIDE]> {
    if !is_x86_feature_detected!("avx2") {
        return None;
    }
    // SAFETY: the processor has AVX2.
    Some(match group.blocks {
        0..=LANES => unsafe { sums_avx2::<N, LANES>(scorer, group) },
        _ => unsafe { sums_avx2::<N, SIDE_BY_SIDE>(scorer, group) },
    })
}

/// The sums of the first `BLOCKS` blocks.
#[target_feature(enable = "avx2")]
fn sums_avx2<const N: usize, const BLOCKS: usize>(
    scorer: &mut Scorer,
    group: &Group<N>,
) -> [i32; SIDE_BY_SIDE] {
    scorer.apply_splits::<N, BLOCKS>(group);
    let mut sums = [0; SIDE_BY_SIDE];
    let trees = scorer.forest.leaves.chunks(FIT).zip(scorer.gone.chunks(FIT));
    let for_each = scorer.gone_each.chunks(FIT).zip(scorer.differ.chunks(FIT));
    for ((leaves, gone), (gone_each, differ)) in trees.zip(for_each) {
        let mut of_all = 0;
        let mut halves = [_mm256_setzero_si256(); SIDE_BY_SIDE / LANES];
        for (((leaves, gone), gone_each), differ) in
            leaves.iter().zip(gone).zip(gone_each).zip(differ)
        {
            if !differ {
                of_all += leaves.leftmost(*gone);
                continue;
            }
            // SAFETY: the array has the 16 bytes that are read.
            let table = unsafe { _mm_loadu_si128(leaves.0.as_ptr().cast()) };
            let table = _mm256_broadcastsi128_si256(table);
            let gone = _mm256_set1_epi16(gone.cast_signed());
            let gone_each = gone_each[..BLOCKS].as_chunks::<LANES>().0;
            for (half, each) in halves.iter_mut().zip(gone_each) {
                // SAFETY: the array has the 32 bytes that are read.
                let each = unsafe { _mm256_loadu_si256(each.as_ptr().cast()) };
                let leaf = leftmost(_mm256_or_si256(each, gone), table);
                *half = _mm256_add_epi16(*half, leaf);
            }
        }
        let mut of_each = [0i16; SIDE_BY_SIDE];
        for (half, of_each) in halves.iter().zip(of_each.as_chunks_mut::<LANES>().0) {
            // SAFETY: the array has the 32 bytes that are written.
            unsafe { _mm256_storeu_si256(of_each.as_mut_ptr().cast(), *half) };
        }
        for (sum, of_each) in sums.iter_mut().zip(of_each) {
            *sum += of_all + i32::from(of_each);
        }
    }
    sums
}

/// Returns the values of the leftmost leaves that are not gone, for 16 blocks. Each half of `table`
/// has the values of all leaves.
#[target_feature(enable = "avx2")]
fn leftmost(gone: __m256i, table: __m256i) -> __m256i {
    // The bits below the leftmost leaf are one: all leaves before it are gone. Their number is the
    // index of the leaf. The last leaf is never gone.
    let next = _mm256_add_epi16(gone, _mm256_set1_epi16(1));
    let before = _mm256_andnot_si256(next, gone);
    // Counts the bits of each half byte, then adds the four counts in the upper byte.
    let low = _mm256_set1_epi8(0x0f);
    let counts =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    let count = _mm256_add_epi8(
        _mm256_shuffle_epi8(counts, _mm256_and_si256(before, low)),
        _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16(before, 4), low)),
    );
    let index = _mm256_add_epi8(count, _mm256_slli_epi16(count, 8));
    // The lower byte is the index of another leaf; the shift removes its value.
    _mm256_srai_epi16(_mm256_shuffle_epi8(table, index), 8)
}
