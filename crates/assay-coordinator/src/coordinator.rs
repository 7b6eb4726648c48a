//! The open state of one project.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use assay_protocol::TaskId;

use crate::StateError;
use crate::runs::RecordedRun;
use crate::store::{FILE, Store};

/// The one authority over live state. Every process of a project opens its own; the file between them
/// decides. Cheap to clone, and of use in several threads at once.
#[derive(Clone)]
pub struct Coordinator {
    pub(crate) store: Arc<Store>,
    /// The progress of the runs that this process records.
    pub(crate) recorders: Arc<Mutex<HashMap<TaskId, RecordedRun>>>,
}

impl Coordinator {
    /// Opens `state.db` in this folder (`.assay/` of a project), and makes both where they are missing.
    pub fn open(folder: &Path) -> Result<Coordinator, StateError> {
        Ok(Coordinator::with(Store::open(folder)?))
    }

    /// Whether this folder holds a state. Looks, and makes nothing.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(FILE).is_file()
    }

    /// Opens what is there to look at it. Every change is refused. It works on a full disk as well,
    /// where `open` may not.
    pub fn open_to_read(folder: &Path) -> Result<Coordinator, StateError> {
        Ok(Coordinator::with(Store::open_to_read(folder)?))
    }

    /// Reads the whole file through. A file of some megabytes is checked so whenever it is opened.
    pub fn verify(&self) -> Result<(), StateError> {
        self.store.verify()
    }

    /// From which version to which the file was lifted when it was opened, if it was older.
    pub fn lifted(&self) -> Option<(i64, i64)> {
        self.store.lifted()
    }

    pub fn file(&self) -> &Path {
        self.store.file()
    }

    pub(crate) fn with(store: Store) -> Coordinator {
        Coordinator { store: Arc::new(store), recorders: Arc::default() }
    }
}
