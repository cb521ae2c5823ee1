//! Hashes that stand for texts where equality decides what is dropped.
//!
//! The authors of crawled pages choose their URLs and sentences. For a hash without a key, such as
//! [`urls::fingerprint`](crate::urls::fingerprint), a second URL with the hash of a given one is
//! found in under a minute, and the page that comes later would be dropped as a copy. Use
//! [`of_run`] in memory and in temporary files of one process, and [`lasting`] if the order of the
//! hashes becomes an order in an output. Figures that only count, and samples drawn in the order of
//! hashes, keep the hash without a key: they must be equal in all runs.

use sha2::{Digest, Sha256};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

/// The key, drawn from the system's randomness when it is first used.
static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// Returns 64 bits of SipHash with a key of this process. Never write it to a file that another
/// process reads, or let an output depend on its order. Among a hundred million texts the
/// probability of a collision is 3 in 10,000, whoever chose them.
pub fn of_run(text: &[u8]) -> u64 {
    let mut hasher = KEY.build_hasher();
    hasher.write(text);
    hasher.finish()
}

/// Returns the first 128 bits of SHA-256, which are equal in all runs.
pub fn lasting(text: &[u8]) -> u128 {
    Sha256::digest(text)[..16].iter().fold(0, |hash, &byte| hash << 8 | u128::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_made_to_collide_without_a_key_has_its_own_hash() {
        let x = |count| "x".repeat(count);
        let victim = format!("http://a.pk/page{}", x(112));
        let forged = format!(
            "http://a.pk/page{}35ee70{}b39823{}3420e3{}17f050{}",
            x(52),
            x(10),
            x(10),
            x(10),
            x(6)
        );
        let [one, other] = [&victim, &forged].map(|url| crate::urls::fingerprint(url));
        assert_eq!(one, other, "the pair is one of the hash without a key");
        assert_ne!(of_run(victim.as_bytes()), of_run(forged.as_bytes()));
        assert_ne!(lasting(victim.as_bytes()), lasting(forged.as_bytes()));
        assert_eq!(of_run(victim.as_bytes()), of_run(victim.clone().as_bytes()));
    }

    #[test]
    fn a_lasting_hash_is_the_beginning_of_sha_256() {
        assert_eq!(lasting(b"abc"), 0xba78_16bf_8f01_cfea_4141_40de_5dae_2223);
    }
}
