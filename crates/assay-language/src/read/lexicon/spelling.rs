//! Slips of the finger that are seen again and again.

const MENDED: &[(&str, &str)] = &[
    ("adn", "and"),
    ("buton", "button"),
    ("botton", "button"),
    ("btn", "button"),
    ("chekbox", "checkbox"),
    ("cick", "click"),
    ("clcik", "click"),
    ("clikc", "click"),
    ("clik", "click"),
    ("dropdpwn", "dropdown"),
    ("eneter", "enter"),
    ("entre", "enter"),
    ("feild", "field"),
    ("lable", "label"),
    ("mesage", "message"),
    ("naviagte", "navigate"),
    ("navgate", "navigate"),
    ("navigat", "navigate"),
    ("pasword", "password"),
    ("passwrod", "password"),
    ("shoud", "should"),
    ("shuold", "should"),
    ("teh", "the"),
    ("veirfy", "verify"),
    ("verfiy", "verify"),
    ("verfy", "verify"),
    ("verifiy", "verify"),
];

/// The word that was meant.
pub(crate) fn mended(low: &str) -> String {
    let meant = MENDED.iter().find(|(slip, _)| *slip == low).map(|(_, word)| *word);
    meant.unwrap_or(low).to_string()
}
