//! Engines that Java configured: Java holds an index, never a pointer.

use crate::refusal::Refusal;
use engine::{Engine, FirstLook, Settings};
use once_cell::sync::Lazy;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// Most engines of a process. A crawl needs one; the limit bounds the memory that a faulty caller
/// can hold.
const MAX_ENGINES: usize = 1024;

static ENGINES: Lazy<Registry> =
    Lazy::new(|| Registry { engines: RwLock::default(), most: MAX_ENGINES });

/// Returns the id of the engine with these settings. The same settings always have the same id. An
/// id is valid as long as the library is loaded.
pub fn intern(settings: Settings) -> Result<u32, Refusal> {
    ENGINES.intern(settings)
}

/// Returns the engine with this id.
pub fn get(id: i32) -> Result<Arc<Engine>, Refusal> {
    ENGINES.get(id).map(|known| known.engine)
}

/// Returns the first look of the engine with this id; `None` if it has none.
pub fn look(id: i32) -> Result<Look, Refusal> {
    let known = ENGINES.get(id)?;
    known.look.get_or_init(|| FirstLook::new(&known.engine));
    Ok(Look(known.look))
}

/// The first look of an engine.
pub struct Look(Arc<OnceLock<Option<FirstLook>>>);

impl Look {
    /// Returns the look; `None` if the engine has none.
    pub fn get(&self) -> Option<&FirstLook> {
        self.0.get()?.as_ref()
    }
}

/// An engine, with its first look once that is used.
#[derive(Clone)]
struct Known {
    engine: Arc<Engine>,
    look: Arc<OnceLock<Option<FirstLook>>>,
}

struct Registry {
    /// Engines by id. The list is append-only, so a panic cannot leave it inconsistent and poison
    /// is ignored.
    engines: RwLock<Vec<Known>>,
    most: usize,
}

impl Registry {
    fn intern(&self, settings: Settings) -> Result<u32, Refusal> {
        let mut engines = self.engines.write().unwrap_or_else(PoisonError::into_inner);
        let known = engines.iter().position(|known| *known.engine.settings() == settings);
        let index = match known {
            Some(index) => index,
            None if engines.len() >= self.most => {
                return Err(Refusal::Engines(self.most));
            }
            None => {
                let engine = Arc::new(Engine::new(settings)?);
                engines.push(Known { engine, look: Arc::default() });
                engines.len() - 1
            }
        };
        u32::try_from(index).map_err(|_| Refusal::Ids("engines"))
    }

    fn get(&self, id: i32) -> Result<Known, Refusal> {
        let engines = self.engines.read().unwrap_or_else(PoisonError::into_inner);
        let engine = usize::try_from(id).ok().and_then(|index| engines.get(index));
        engine.cloned().ok_or_else(|| Refusal::Engine { id, known: engines.len() })
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
        assert_eq!((registry.intern(with(1)).unwrap(), registry.intern(with(2)).unwrap()), (0, 1));
        assert!(registry.intern(with(3)).unwrap_err().to_string().ends_with("allowed are 2"));
        assert_eq!(registry.intern(with(1)).unwrap(), 0);
        assert_eq!(registry.get(1).unwrap().engine.settings().min_bytes, 2);
    }
}
