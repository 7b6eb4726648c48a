//! Acts that outlive their browser: refs become descriptions from their page, and are found again on another.

use assay_protocol::{Action, LastingAct, Scene, Selector};

use super::{Recognition, describe, recognise};

/// The act with its refs described. One that names something this scene does not show is not made to last.
pub fn make_lasting(action: &Action, scene: &Scene) -> Option<LastingAct> {
    let mut lasting = LastingAct { action: action.clone(), elements: Default::default() };
    let named: Vec<String> = lasting
        .action
        .selectors_mut()
        .into_iter()
        .filter(|selector| selector.as_ref_id().is_some())
        .map(|selector| selector.source.clone())
        .collect();
    for reference in named {
        let signature = describe(scene, &reference)?;
        lasting.elements.insert(reference, signature);
    }
    Some(lasting)
}

/// The act with the refs of another page, or why it cannot be carried out there.
pub fn revive(lasting: &LastingAct, scene: &Scene) -> Result<Action, String> {
    let mut action = lasting.action.clone();
    for selector in action.selectors_mut() {
        let Some(signature) = lasting.elements.get(&selector.source) else { continue };
        let reference = match recognise(signature, scene) {
            Recognition::Same { reference } | Recognition::Changed { reference, .. } => reference,
            Recognition::Refused { why, .. } => {
                return Err(format!("{} \"{}\" was not found again: {why}", signature.role, signature.name));
            }
        };
        *selector = Selector::parse(&reference).map_err(|err| err.to_string())?;
    }
    Ok(action)
}
