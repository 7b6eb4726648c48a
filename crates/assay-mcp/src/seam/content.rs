//! Pieces of an answer: text, pictures, sound, resources.

use super::resource::Resource;

/// One piece of the answer of a tool or of a message of a prompt.
#[derive(Debug, Clone)]
pub enum Content {
    Text(String),
    Image {
        data: Vec<u8>,
        mime_type: String,
    },
    Audio {
        data: Vec<u8>,
        mime_type: String,
    },
    /// A resource that the client may read.
    Link(Resource),
    /// A resource with its contents.
    Embedded(Contents),
}

/// What is in a resource.
#[derive(Debug, Clone)]
pub struct Contents {
    pub uri: String,
    pub mime_type: Option<String>,
    pub body: Body,
}

impl Contents {
    pub fn text(uri: impl Into<String>, mime_type: impl Into<String>, text: impl Into<String>) -> Contents {
        Contents { uri: uri.into(), mime_type: Some(mime_type.into()), body: Body::Text(text.into()) }
    }

    pub fn bytes(uri: impl Into<String>, mime_type: impl Into<String>, bytes: Vec<u8>) -> Contents {
        Contents { uri: uri.into(), mime_type: Some(mime_type.into()), body: Body::Bytes(bytes) }
    }
}

#[derive(Debug, Clone)]
pub enum Body {
    Text(String),
    Bytes(Vec<u8>),
}
