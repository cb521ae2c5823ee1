//! Engines that Java configured: Java holds an index, never a pointer.

use engine::{Engine, Settings};
use once_cell::sync::Lazy;
use std::sync::{Arc, PoisonError, RwLock};

/// Most engines of a process. A crawl needs one; this bounds what a caller in a loop can make us hold.
const MAX_ENGINES: usize = 1024;

static ENGINES: Lazy<Registry> = Lazy::new(|| Registry { engines: RwLock::default(), most: MAX_ENGINES });

/// The id of the engine with these settings: the same settings always have the same id, and an id is valid as long as the
/// library is loaded.
pub fn intern(settings: Settings) -> Result<u32, String> {
    ENGINES.intern(settings)
}

/// The engine with this id.
pub fn get(id: i32) -> Result<Arc<Engine>, String> {
    ENGINES.get(id)
}

struct Registry {
    /// By id. Only ever appended to, so a panic elsewhere cannot leave it in disorder and poison is ignored.
    engines: RwLock<Vec<Arc<Engine>>>,
    most: usize,
}

impl Registry {
    fn intern(&self, settings: Settings) -> Result<u32, String> {
        let mut engines = self.engines.write().unwrap_or_else(PoisonError::into_inner);
        let known = engines.iter().position(|engine| *engine.settings() == settings);
        let index = match known {
            Some(index) => index,
            None if engines.len() >= self.most => {
                return Err(format!(
                    "engines with {} different settings are in use, allowed are {}",
                    self.most, self.most
                ));
            }
            None => {
                engines.push(Arc::new(Engine::new(settings).map_err(|bad| bad.to_string())?));
                engines.len() - 1
            }
        };
        u32::try_from(index).map_err(|error| error.to_string())
    }

    fn get(&self, id: i32) -> Result<Arc<Engine>, String> {
        let engines = self.engines.read().unwrap_or_else(PoisonError::into_inner);
        let engine = usize::try_from(id).ok().and_then(|index| engines.get(index));
        engine.cloned().ok_or_else(|| {
            format!("engine id is {id}, allowed are ids that `configure` answered (so far {})", engines.len())
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_full_registry_refuses_new_settings_and_keeps_the_old() {
        let registry = Registry { engines: RwLock::default(), most: 2 };
        let with = |min_bytes| Settings { min_bytes, ..Settings::new("urd".parse().unwrap()) };
        assert_eq!((registry.intern(with(1)), registry.intern(with(2))), (Ok(0), Ok(1)));
        assert!(registry.intern(with(3)).unwrap_err().ends_with("allowed are 2"));
        assert_eq!(registry.intern(with(1)), Ok(0));
        assert_eq!(registry.get(1).unwrap().settings().min_bytes, 2);
    }
}
