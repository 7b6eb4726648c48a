//! How a language model asks for actions: tools, the words in them, and what a model fills in.
//!
//! A tool stands for one action, or for several that it tells apart by a word. An entry of the catalogue says by which
//! tools and words it is asked for; the types of the fields are those of its parameters. Which tools a model has, and what
//! it is told of the page, is for the pilots to say.

use serde_json::{Map, Value, json};

use super::ACTIONS;
use super::entry::ActionEntry;
use crate::{Action, Selector, ViewPoint};

/// The field that names an element, in every tool that has one.
pub(super) const REF: &str = "ref";
/// The field that names the second element of a tool that has two.
pub(super) const TO_REF: &str = "to_ref";

/// A tool by which a model asks for actions.
#[derive(Debug)]
pub struct ModelTool {
    pub name: &'static str,
    /// What a model reads of it.
    pub help: &'static str,
    pub(super) words: Option<ToolWords>,
    pub(super) fields: &'static [ToolField],
}

/// The words of a tool that stands for several actions, in the order in which a model reads them.
#[derive(Debug)]
pub(super) struct ToolWords {
    pub field: &'static str,
    pub words: &'static [&'static str],
    /// What a model is told of another word.
    pub refusal: fn(&str) -> String,
}

/// One field of a tool. All are required.
#[derive(Debug)]
pub(super) struct ToolField {
    name: &'static str,
    help: Option<&'static str>,
    holds: FieldContent,
}

#[derive(Debug, Clone, Copy)]
enum FieldContent {
    /// A parameter of the action.
    Parameter(&'static str),
    /// One item of a parameter that is a list.
    ItemOf(&'static str),
    /// The number of something that the model was told or shown.
    Number,
    /// Words that become a part of a parameter.
    Text,
}

impl ToolField {
    /// The element of an action.
    pub const fn element(help: &'static str) -> ToolField {
        ToolField::parameter(REF, "target").help(help)
    }

    pub const fn parameter(name: &'static str, parameter: &'static str) -> ToolField {
        ToolField { name, help: None, holds: FieldContent::Parameter(parameter) }
    }

    pub const fn item_of(name: &'static str, parameter: &'static str) -> ToolField {
        ToolField { name, help: None, holds: FieldContent::ItemOf(parameter) }
    }

    pub const fn number(name: &'static str) -> ToolField {
        ToolField { name, help: None, holds: FieldContent::Number }
    }

    pub const fn text(name: &'static str) -> ToolField {
        ToolField { name, help: None, holds: FieldContent::Text }
    }

    pub const fn help(mut self, help: &'static str) -> ToolField {
        self.help = Some(help);
        self
    }
}

type BuildFromModel = fn(&ModelInput<'_>) -> Result<Action, String>;

/// One way in which a model asks for an action, as its entry lists it.
#[derive(Debug)]
pub struct ModelForm {
    tool: &'static ModelTool,
    /// None where the tool stands for this action alone.
    pub(super) word: Option<&'static str>,
    build: BuildFromModel,
}

impl ModelForm {
    pub fn of_tool(&self) -> &'static ModelTool {
        self.tool
    }

    pub(super) const fn tool(tool: &'static ModelTool, build: BuildFromModel) -> ModelForm {
        ModelForm { tool, word: None, build }
    }

    pub(super) const fn word(
        tool: &'static ModelTool,
        word: &'static str,
        build: BuildFromModel,
    ) -> ModelForm {
        ModelForm { tool, word: Some(word), build }
    }
}

/// Two models may know one name for different tools.
impl PartialEq for ModelTool {
    fn eq(&self, other: &ModelTool) -> bool {
        (self.name, self.help, self.words()) == (other.name, other.help, other.words())
    }
}

impl ModelTool {
    /// The words that tell its actions apart; none where it stands for one.
    pub fn words(&self) -> &'static [&'static str] {
        self.words.as_ref().map_or(&[], |words| words.words)
    }

    /// The schemas of its fields by their names.
    pub fn properties(&'static self) -> Map<String, Value> {
        let mut properties = Map::new();
        if let Some(ToolWords { field, words, .. }) = &self.words {
            properties.insert((*field).to_string(), json!({ "type": "string", "enum": words }));
        }
        for field in self.fields {
            let mut schema = self.schema_of(field.holds);
            if let (Some(help), Some(schema)) = (field.help, schema.as_object_mut()) {
                schema.insert("description".to_string(), json!(help));
            }
            properties.insert(field.name.to_string(), schema);
        }
        properties
    }

    /// The action that is asked for, or what is wrong, in words for the model.
    pub fn read(&'static self, input: &ModelInput<'_>) -> Result<Action, String> {
        match &self.words {
            None => self.build(None, input),
            Some(words) => self.build(Some(&input.text(words.field)?), input),
        }
    }

    /// The word that tells what is asked for, where it is one of the tool's.
    pub fn read_word(&self, input: &ModelInput<'_>) -> Result<&'static str, String> {
        let Some(words) = &self.words else { return Err(format!("`{}` takes no word", self.name)) };
        let said = input.text(words.field)?;
        let known = words.words.iter().find(|word| **word == said);
        known.copied().ok_or_else(|| (words.refusal)(&said))
    }

    /// The action that a word of this tool asks for.
    pub fn build(&'static self, word: Option<&str>, input: &ModelInput<'_>) -> Result<Action, String> {
        match self.forms().find(|(_, form)| form.word == word) {
            Some((_, form)) => (form.build)(input),
            None => {
                let said = word.unwrap_or_default();
                Err(self
                    .words
                    .as_ref()
                    .map_or_else(|| format!("`{}` does nothing", self.name), |words| (words.refusal)(said)))
            }
        }
    }

    pub(super) fn forms(&'static self) -> impl Iterator<Item = (&'static ActionEntry, &'static ModelForm)> {
        let own = move |form: &&ModelForm| form.tool == self;
        ACTIONS
            .iter()
            .flat_map(move |entry| entry.model_forms.iter().filter(own).map(move |form| (*entry, form)))
    }

    fn schema_of(&'static self, content: FieldContent) -> Value {
        let of_parameter = |name: &str| {
            let found = self.forms().find_map(|(entry, _)| parameter_type(&entry.parameters(), name));
            found.unwrap_or_default()
        };
        match content {
            FieldContent::Parameter(name) => of_parameter(name),
            FieldContent::ItemOf(name) => of_parameter(name).get("items").cloned().unwrap_or_default(),
            FieldContent::Number => json!({ "type": "integer" }),
            FieldContent::Text => json!({ "type": "string" }),
        }
    }
}

/// The type of a parameter, wherever in the schema it stands. A tool has no fields that may be left out.
fn parameter_type(schema: &Value, name: &str) -> Option<Value> {
    match schema {
        Value::Object(fields) => match fields.get("properties").and_then(|properties| properties.get(name)) {
            Some(found) => Some(bare_type(found)),
            None => fields.values().find_map(|inner| parameter_type(inner, name)),
        },
        Value::Array(items) => items.iter().find_map(|inner| parameter_type(inner, name)),
        _ => None,
    }
}

fn bare_type(schema: &Value) -> Value {
    let of = match &schema["type"] {
        Value::Array(types) => types.iter().find(|of| *of != "null").cloned().unwrap_or_default(),
        of => of.clone(),
    };
    match schema.get("items") {
        Some(items) => json!({ "type": of, "items": bare_type(items) }),
        None => json!({ "type": of }),
    }
}

/// What a model filled in, and what only its pilot knows of it.
pub struct ModelInput<'a> {
    pub fields: &'a Map<String, Value>,
    /// What stands for the value of the test with this number.
    pub values: &'a dyn Fn(u64) -> Option<String>,
    /// What the model pointed at, where it points.
    pub pointed: Pointed,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Pointed {
    /// Elements are named by their refs.
    Nowhere,
    Element(Selector),
    Point(ViewPoint),
}

impl ModelInput<'_> {
    pub fn text(&self, name: &str) -> Result<String, String> {
        match self.field(name)? {
            Value::String(text) => Ok(text.clone()),
            other => Err(format!("expected a text in `{name}`, found {other}")),
        }
    }

    pub fn texts(&self, name: &str) -> Result<Vec<String>, String> {
        let found = self.field(name)?;
        let wrong = || format!("expected a list of texts in `{name}`, found {found}");
        let items = found.as_array().ok_or_else(wrong)?;
        items.iter().map(|item| item.as_str().map(str::to_string).ok_or_else(wrong)).collect()
    }

    pub fn number(&self, name: &str) -> Result<u64, String> {
        let found = self.field(name)?;
        // Small models write numbers as text.
        let read = found.as_u64().or_else(|| found.as_str().and_then(|text| text.trim().parse().ok()));
        read.ok_or_else(|| format!("expected a number in `{name}`, found {found}"))
    }

    fn field(&self, name: &str) -> Result<&Value, String> {
        self.fields.get(name).ok_or_else(|| format!("`{name}` is missing"))
    }

    /// What stands for a value of the test, which the model names by its number.
    pub(super) fn value(&self, name: &str) -> Result<String, String> {
        let number = self.number(name)?;
        (self.values)(number).ok_or_else(|| format!("the test names no value with the number {number}"))
    }

    pub(super) fn element(&self) -> Result<Selector, String> {
        match &self.pointed {
            Pointed::Element(target) => Ok(target.clone()),
            Pointed::Nowhere | Pointed::Point(_) => by_ref(&self.text(REF)?),
        }
    }

    /// The second element of a tool that has two.
    pub(super) fn other_element(&self) -> Result<Selector, String> {
        by_ref(&self.text(TO_REF)?)
    }

    /// An element that need not be named: the text is empty then.
    pub(super) fn element_if_named(&self) -> Result<Option<Selector>, String> {
        let named = self.text(REF)?;
        if named.is_empty() { Ok(None) } else { by_ref(&named).map(Some) }
    }

    pub(super) fn point(&self) -> Result<ViewPoint, String> {
        match &self.pointed {
            Pointed::Point(point) => Ok(*point),
            Pointed::Nowhere | Pointed::Element(_) => Err("a point of the picture was expected".to_string()),
        }
    }
}

fn by_ref(text: &str) -> Result<Selector, String> {
    match Selector::parse(text) {
        Ok(selector) if selector.as_ref_id().is_some() => Ok(selector),
        _ => Err(format!("expected a ref like `e12`, found `{text}`")),
    }
}
