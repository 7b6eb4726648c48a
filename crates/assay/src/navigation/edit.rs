//! Small changes of a tree.

use assay_navigation::{NoScreen, screen_called};
use assay_protocol::{
    ANY_SCREEN, AddressPattern, Edge, EdgeCommand, ElementCondition, ErrorCode, Failure, NavigationTree,
    Screen,
};

use super::{ScreenValues, TreeEdit};

/// The tree with the change, and the screens that have another name now.
pub(super) fn edited(
    tree: &NavigationTree,
    edit: &TreeEdit,
) -> Result<(NavigationTree, Vec<(String, String)>), Failure> {
    let mut tree = tree.clone();
    let mut renamed = Vec::new();
    match edit {
        TreeEdit::RenameScreen { from, to } => {
            let old = known(&tree, from)?;
            check_free(&tree, to)?;
            rename(&mut tree, &old, to);
            renamed.push((old, to.clone()));
        }
        TreeEdit::AddScreen { name, values } => {
            check_free(&tree, name)?;
            let mut screen = Screen { name: name.clone(), ..Screen::default() };
            set(&tree, &mut screen, values)?;
            tree.screens.push(screen);
        }
        TreeEdit::SetScreen { name, values } => {
            let name = known(&tree, name)?;
            let Some(at) = tree.screens.iter().position(|screen| screen.name == name) else {
                return Err(unknown(&tree, &name));
            };
            let mut screen = tree.screens[at].clone();
            set(&tree, &mut screen, values)?;
            tree.screens[at] = screen;
        }
        TreeEdit::RemoveScreen { name } => {
            let name = known(&tree, name)?;
            tree.screens.retain(|screen| screen.name != name);
            tree.edges.retain(|edge| edge.from != name && edge.to != name);
            tree.entry.retain(|entry| *entry != name);
            for screen in tree.screens.iter_mut().filter(|screen| screen.within.as_ref() == Some(&name)) {
                screen.within = None;
            }
        }
        TreeEdit::AddEdge { from, to, acts, back } => {
            let (from, to) = ends(&tree, from, to)?;
            if tree.edges.iter().any(|edge| edge.from == from && edge.to == to) {
                return Err(usage(format!("there is an edge from {from} to {to} already"))
                    .hint("assay tree edit set-edge changes it"));
            }
            let edge = Edge { from, to, acts: commands(acts)?, back: commands(back)? };
            if edge.acts.is_empty() {
                return Err(usage("expected --do with a command, found none".to_string())
                    .hint("assay tree edit add-edge Home Orders --do 'click link \"Orders\"'"));
            }
            tree.edges.push(edge);
        }
        TreeEdit::SetEdge { from, to, acts, back } => {
            let (from, to) = ends(&tree, from, to)?;
            let (acts, back) = (commands(acts)?, commands(back)?);
            let edge = tree.edges.iter_mut().find(|edge| edge.from == from && edge.to == to);
            let edge = edge.ok_or_else(|| no_edge(&from, &to))?;
            if !acts.is_empty() {
                edge.acts = acts;
            }
            if !back.is_empty() {
                edge.back = back;
            }
        }
        TreeEdit::RemoveEdge { from, to } => {
            let (from, to) = ends(&tree, from, to)?;
            let before = tree.edges.len();
            tree.edges.retain(|edge| edge.from != from || edge.to != to);
            if tree.edges.len() == before {
                return Err(no_edge(&from, &to));
            }
        }
        TreeEdit::Entry { names } => {
            tree.entry = names.iter().map(|name| known(&tree, name)).collect::<Result<_, _>>()?;
        }
    }
    Ok((tree, renamed))
}

fn rename(tree: &mut NavigationTree, old: &str, new: &str) {
    let change = |name: &mut String| {
        if name == old {
            *name = new.to_string();
        }
    };
    for screen in &mut tree.screens {
        change(&mut screen.name);
        screen.within.iter_mut().for_each(change);
    }
    for edge in &mut tree.edges {
        change(&mut edge.from);
        change(&mut edge.to);
    }
    tree.entry.iter_mut().for_each(change);
}

fn set(tree: &NavigationTree, screen: &mut Screen, values: &ScreenValues) -> Result<(), Failure> {
    let some = |text: &String| (!text.trim().is_empty()).then(|| text.trim().to_string());
    if let Some(address) = &values.address {
        let pattern = some(address).map(|text| AddressPattern::parse(&text)).transpose();
        screen.address = pattern.map_err(|err| usage(err.to_string()))?;
    }
    for (value, place) in [
        (&values.heading, &mut screen.heading),
        (&values.title, &mut screen.title),
        (&values.when, &mut screen.when),
    ] {
        if let Some(text) = value {
            *place = some(text);
        }
    }
    if let Some(within) = &values.within {
        let above = some(within).map(|name| known(tree, &name)).transpose()?;
        let is_below = |above: &String| {
            *above == screen.name || tree.above(above).iter().any(|one| one.name == screen.name)
        };
        if above.as_ref().is_some_and(is_below) {
            return Err(usage(format!("{} would be within itself", screen.name)));
        }
        screen.within = above;
    }
    for (value, place) in [(&values.has, &mut screen.has), (&values.lacks, &mut screen.lacks)] {
        if let Some(texts) = value {
            let texts = texts.iter().filter(|text| !text.trim().is_empty());
            *place = texts
                .map(|text| ElementCondition::parse(text).map_err(|err| usage(err.to_string())))
                .collect::<Result<_, _>>()?;
        }
    }
    if let Some(protected) = values.protected {
        screen.protected = protected;
    }
    Ok(())
}

fn commands(acts: &[String]) -> Result<Vec<String>, Failure> {
    let acts = acts.iter().filter(|act| !act.trim().is_empty());
    acts.map(|act| match EdgeCommand::parse(act) {
        Ok(_) => Ok(act.trim().to_string()),
        Err(err) => Err(usage(format!("`{act}`: {err}"))),
    })
    .collect()
}

fn ends(tree: &NavigationTree, from: &str, to: &str) -> Result<(String, String), Failure> {
    let from = if from == ANY_SCREEN { from.to_string() } else { known(tree, from)? };
    let to = known(tree, to)?;
    if from == to {
        return Err(usage(format!("expected two screens, found {from} twice")));
    }
    Ok((from, to))
}

fn known(tree: &NavigationTree, name: &str) -> Result<String, Failure> {
    screen_called(tree, name, &[]).map(|screen| screen.name.clone()).map_err(|_| unknown(tree, name))
}

fn unknown(tree: &NavigationTree, name: &str) -> Failure {
    let near = match screen_called(tree, name, &[]) {
        Err(NoScreen::Unknown { nearest }) if !nearest.is_empty() => {
            format!("; nearest: {}", nearest.join(", "))
        }
        Err(NoScreen::Several { candidates }) => format!("; several fit: {}", candidates.join(", ")),
        _ => String::new(),
    };
    usage(format!("no screen is called \"{name}\"{near}"))
}

fn check_free(tree: &NavigationTree, name: &str) -> Result<(), Failure> {
    if name.trim().is_empty() || name == ANY_SCREEN {
        return Err(usage(format!("expected a name for a screen, found `{name}`")));
    }
    match tree.screen(name) {
        Some(_) => Err(usage(format!("a screen is called \"{name}\" already"))),
        None => Ok(()),
    }
}

fn no_edge(from: &str, to: &str) -> Failure {
    usage(format!("there is no edge from {from} to {to}"))
}

fn usage(message: String) -> Failure {
    Failure::new(ErrorCode::Usage, message)
}
