//! Accessible names and roles, against a page that says what each must be.

use crate::context::Context;

#[test]
fn names_and_roles_are_those_of_the_accessibility_tree() {
    let context = Context::on("/names");
    let wanted: Vec<(String, String, String)> = serde_json::from_str(&context.ok(&[
        "eval",
        "JSON.stringify([...document.querySelectorAll('[data-name][data-role]')].map(e => [e.id, e.dataset.role, e.dataset.name]))",
    ]))
    .unwrap();
    assert!(wanted.len() >= 30, "{}", wanted.len());
    let mut wrong = Vec::new();
    for (id, role, name) in &wanted {
        let found = context.json(&["find", &format!("#{id}")]);
        let element = &found["data"]["elements"]["elements"][0];
        // Roles of groups and figures are structure; their names count all the same.
        let role_fits = element["role"] == role.as_str() || (role == "img" && element["role"] == "image");
        if element["name"] != name.as_str() || !role_fits {
            wrong.push(format!(
                "{id}: expected {role} \"{name}\", found {} {}",
                element["role"], element["name"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
