//! Requirements: their files, the links of tests to them, and tables from elsewhere that become such files.

mod folder;
mod import;
mod link_edit;
mod links;
mod read;
mod table;
mod write;

pub(crate) use folder::{FOLDER, RequirementCodes, read_folder};
pub use folder::{ProjectRequirements, RequirementOnFile, project_requirements};
pub use import::{ImportMistake, ImportedRequirement, RequirementTable, read_requirement_table};
pub use link_edit::{link_requirement, unlink_requirement};
pub(crate) use links::LinkDraft;
pub use write::{CannotEdit, RequirementChange, WrittenRequirements, write_requirements};
