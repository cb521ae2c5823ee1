//! Engines that Java configured: Java holds an index, never a pointer.

use engine::{Engine, Settings};
use once_cell::sync::Lazy;
use std::sync::{Arc, PoisonError, RwLock};

/// Most engines of a process. A crawl needs one; this bounds what a caller in a loop can make us hold.
const MAX_ENGINES: usize = 1024;

static ENGINES: Lazy<RwLock<Vec<Arc<Engine>>>> = Lazy::new(RwLock::default);

/// The id of the engine with these settings: the same settings always have the same id, and an id is valid as long as the
/// library is loaded.
pub fn intern(settings: Settings) -> Result<u32, String> {
    let mut engines = ENGINES.write().unwrap_or_else(PoisonError::into_inner);
    let known = engines.iter().position(|engine| *engine.settings() == settings);
    let index = match known {
        Some(index) => index,
        None if engines.len() >= MAX_ENGINES => {
            return Err(format!("{} different settings are in use, allowed are {MAX_ENGINES}", engines.len()));
        }
        None => {
            engines.push(Arc::new(Engine::new(settings).map_err(|bad| bad.to_string())?));
            engines.len() - 1
        }
    };
    Ok(index as u32)
}

/// The engine with this id.
pub fn get(id: i32) -> Result<Arc<Engine>, String> {
    let engines = ENGINES.read().unwrap_or_else(PoisonError::into_inner);
    let engine = usize::try_from(id).ok().and_then(|index| engines.get(index));
    engine.cloned().ok_or_else(|| {
        format!("engine id is {id}, allowed are ids that `configure` answered (so far {})", engines.len())
    })
}
