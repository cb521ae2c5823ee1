//! The trees on 64-bit Arm processors, all of which have NEON: one instruction looks up 16 leaves.
//! The sums are those of `Scorer::sums_everywhere`.

// Only for the call of code for NEON, and for reading and writing vectors.
#![allow(unsafe_code)]

use super::forest::{Group, Scorer, FIT, LANES, SIDE_BY_SIDE};
use std::arch::aarch64::*;

/// Returns for each block the sum of its leaves.
pub(super) fn sums<const N: usize>(scorer: &mut Scorer, group: &Group<N>) -> [i32; SIDE_BY_SIDE] {
    // SAFETY: every 64-bit Arm processor that the standard library runs on has NEON.
    match group.blocks {
        0..=LANES => unsafe { sums_of::<N, LANES>(scorer, group) },
        _ => unsafe { sums_of::<N, SIDE_BY_SIDE>(scorer, group) },
    }
}

/// The sums of the first `BLOCKS` blocks.
#[target_feature(enable = "neon")]
fn sums_of<const N: usize, const BLOCKS: usize>(
    scorer: &mut Scorer,
    group: &Group<N>,
) -> [i32; SIDE_BY_SIDE] {
    scorer.apply_splits::<N, BLOCKS>(group);
    let mut sums = [0; SIDE_BY_SIDE];
    let trees = scorer.forest.leaves.chunks(FIT).zip(scorer.gone.chunks(FIT));
    let for_each = scorer.gone_each.chunks(FIT).zip(scorer.differ.chunks(FIT));
    for ((leaves, gone), (gone_each, differ)) in trees.zip(for_each) {
        let mut of_all = 0;
        let mut halves = [[vdupq_n_s16(0); 2]; SIDE_BY_SIDE / LANES];
        for (((leaves, gone), gone_each), differ) in
            leaves.iter().zip(gone).zip(gone_each).zip(differ)
        {
            if !differ {
                of_all += leaves.leftmost(*gone);
                continue;
            }
            // SAFETY: the array has the 16 bytes that are read.
            let table = unsafe { vld1q_s8(leaves.0.as_ptr()) };
            let gone = vdupq_n_u16(*gone);
            for (half, each) in halves.iter_mut().zip(gone_each[..BLOCKS].as_chunks::<LANES>().0) {
                // SAFETY: the array has the 32 bytes that are read.
                let each = unsafe { vld1q_u16_x2(each.as_ptr()) };
                let first = leftmost(vorrq_u16(each.0, gone));
                let leaf = vqtbl1q_s8(table, vcombine_u8(first, leftmost(vorrq_u16(each.1, gone))));
                half[0] = vaddw_s8(half[0], vget_low_s8(leaf));
                half[1] = vaddw_high_s8(half[1], leaf);
            }
        }
        let mut of_each = [0i16; SIDE_BY_SIDE];
        for (half, of_each) in halves.as_flattened().iter().zip(of_each.as_chunks_mut::<8>().0) {
            // SAFETY: the array has the 16 bytes that are written.
            unsafe { vst1q_s16(of_each.as_mut_ptr(), *half) };
        }
        for (sum, of_each) in sums.iter_mut().zip(of_each) {
            *sum += of_all + i32::from(of_each);
        }
    }
    sums
}

/// Returns the indexes of the leftmost leaves that are not gone, for 8 blocks.
#[target_feature(enable = "neon")]
fn leftmost(gone: uint16x8_t) -> uint8x8_t {
    // The bits below the leftmost leaf are one: all leaves before it are gone. Their number is the
    // index of the leaf. The last leaf is never gone.
    let before = vbicq_u16(gone, vaddq_u16(gone, vdupq_n_u16(1)));
    vmovn_u16(vpaddlq_u8(vcntq_u8(vreinterpretq_u8_u16(before))))
}
