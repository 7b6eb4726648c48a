//! Tests, project files and locks as text: parsed, checked, with positions.
