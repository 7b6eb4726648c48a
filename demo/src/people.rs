//! The people of the harbor office, as its table of users shows them.

#[derive(Clone)]
pub struct Person {
    pub id: u32,
    pub name: String,
    pub email: String,
    pub role: String,
    pub suspended: bool,
}

pub const ROLES: &[&str] = &["Admin", "Editor", "Viewer"];

pub fn everybody() -> Vec<Person> {
    let people = [
        ("Ada Lovelace", "ada@harbor.example", "Admin", false),
        ("Grace Hopper", "grace@harbor.example", "Editor", false),
        ("Alan Turing", "alan@harbor.example", "Viewer", true),
        ("Mary Ward", "mary@harbor.example", "Viewer", false),
        ("Linus Berg", "linus@harbor.example", "Editor", false),
    ];
    people
        .into_iter()
        .zip(1..)
        .map(|((name, email, role, suspended), id)| Person {
            id,
            name: name.to_owned(),
            email: email.to_owned(),
            role: role.to_owned(),
            suspended,
        })
        .collect()
}
