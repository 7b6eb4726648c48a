//! What the server of a case keeps between two requests: lists of values under names.

use std::collections::BTreeMap;

use super::mistake::{Complaint, CorpusMistake};
use super::sections::RawSection;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Memory(BTreeMap<String, Vec<String>>);

impl Memory {
    /// Reads a `--- data` section: a line `name: value` for each value.
    pub fn parse(file: &str, section: &RawSection) -> Result<Memory, CorpusMistake> {
        let mut memory = Memory::default();
        for (number, line) in section.numbered() {
            let no_value = || Complaint::NoValue { found: line.to_owned() }.at(file, number);
            let (name, value) = line.split_once(": ").ok_or_else(no_value)?;
            memory.add(name, value);
        }
        Ok(memory)
    }

    pub fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    pub fn last(&self, name: &str) -> Option<&str> {
        self.all(name).last().map(String::as_str)
    }

    pub fn add(&mut self, name: &str, value: &str) {
        self.0.entry(name.to_owned()).or_default().push(value.to_owned());
    }

    /// This one value instead of all that were there.
    pub fn set(&mut self, name: &str, value: &str) {
        self.0.insert(name.to_owned(), vec![value.to_owned()]);
    }

    /// Removes what is this value, or begins with it and a bar: rows are known by their first part.
    pub fn remove(&mut self, name: &str, value: &str) {
        if let Some(values) = self.0.get_mut(name) {
            values.retain(|kept| kept != value && kept.split('|').next() != Some(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_added_replaced_and_removed() {
        let mut memory = Memory::default();
        memory.add("row", "7|Lamp");
        memory.add("row", "8|Rope");
        memory.remove("row", "7");
        assert_eq!(memory.all("row"), ["8|Rope"]);
        memory.set("row", "9");
        memory.remove("nothing", "9");
        assert_eq!(memory.last("row"), Some("9"));
    }
}
