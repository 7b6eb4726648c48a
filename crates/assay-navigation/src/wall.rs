//! Pages that stand in the place of a screen: logins, and errors, whatever their status says.

use assay_protocol::{Scene, in_one_line};

use crate::features::{Spot, heading_of, spots};

/// What stands in the place of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WallKind {
    /// There is no such page or thing, or the server failed.
    Nothing,
    /// One may not see it.
    NoPermission,
    /// One must log in.
    Login,
    /// One was logged in, and is no longer.
    SessionOver,
    /// One must enter a code that was sent.
    Code,
}

/// What a page says of its own trouble.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wall {
    pub kind: WallKind,
    /// In the words of the page.
    pub text: String,
}

/// How pages say that there is nothing to be seen, or not yet. A text says it if each group has a part in it; `|` stands
/// between the parts, `_` for the end of a word.
const SAYINGS: &[(WallKind, &[&str])] = &[
    (
        WallKind::Nothing,
        &[
            "not found|_404_|page doesn't exist|does not exist|doesn't exist|do not exist|don't exist|no longer available|\
          no longer exist|cannot be found|can't be found|could not be found|couldn't be found|couldn't find|could not find|\
          can't find|cannot find|unable to find|unable to locate|_no such_|nothing here|never existed",
        ],
    ),
    (
        WallKind::Nothing,
        &[
            "_page_|_link_|_content_|_resource_|_document_|_site_",
            "been removed|was removed|been deleted|was deleted|\
          been moved|has moved|is gone|not available|isn't available|unavailable",
        ],
    ),
    (
        WallKind::Nothing,
        &["something went wrong|an error occurred|an error has occurred|internal server error|server error|\
          service unavailable|under maintenance|down for maintenance|bad gateway|unexpected error|error 500|error 403"],
    ),
    (
        WallKind::Nothing,
        &[
            "nicht gefunden|existiert nicht|existieren nicht|gibt es nicht|gibt es leider nicht|nicht mehr verfügbar|\
          nicht verfügbar|nicht mehr vorhanden|nicht auffindbar|schiefgelaufen|schief gelaufen|fehler ist aufgetreten|\
          interner serverfehler|wartungsarbeiten",
        ],
    ),
    (
        WallKind::Nothing,
        &[
            "introuvable|n'existe pas|n'existe plus|n'existent pas|pas été trouvé|pas trouvé|n'est plus disponible|\
          n'est pas disponible|erreur est survenue|erreur s'est produite|erreur interne|en maintenance",
        ],
    ),
    (
        WallKind::Nothing,
        &["no encontrad|no existe|no se encontró|no se ha encontrado|no se encuentra|no se pudo encontrar|\
          no está disponible|no hay tal|producido un error|ocurrido un error|algo salió mal|en mantenimiento"],
    ),
    (
        WallKind::NoPermission,
        &["access denied|access is denied|forbidden|permission denied|unauthorized|unauthorised"],
    ),
    (
        WallKind::NoPermission,
        &[
            "permission|_access_|_rights_|privilege|authorization|authorisation|clearance",
            "not have|don't have|doesn't have|\
          _lack|insufficient|denied|_no permission|_no access|without|request access|need access|need permission|refused|\
          restricted|not granted|missing|no longer have",
        ],
    ),
    (
        WallKind::NoPermission,
        &[
            "_not_|aren't|isn't|no longer|cannot|can't",
            "authorized|authorised|_allowed_|_permitted_|entitled|_access this_",
            "_you|_page_|_access|_view_|_user_|_account_",
        ],
    ),
    (
        WallKind::NoPermission,
        &[
            "berechtig|_zugriff|_rechte_|_zugang|befugt|_darfst_|_dürfen_",
            "_keine|_nicht_|_kein_|fehlt|fehlen|verweigert|\
          unzureichend|_ohne_",
        ],
    ),
    (
        WallKind::NoPermission,
        &[
            "autorisation|autorisé|permission|_droit|_accès_|l'accès|habilité",
            "_pas_|refusé|interdit|insuffisant|_aucun|_non_",
        ],
    ),
    (
        WallKind::NoPermission,
        &[
            "permiso|_acceso_|autorizad|autorización|privilegio",
            "_no_|_sin_|denegad|restringid|prohibid|insuficiente",
        ],
    ),
    (
        WallKind::SessionOver,
        &["session", "expired|timed out|has ended|was ended|is over|no longer valid|invalid|been closed"],
    ),
    (
        WallKind::SessionOver,
        &["logged out|signed out|logged off|signed off", "you have been|you've been|you are|you're|you were"],
    ),
    (WallKind::SessionOver, &["_sitzung|_session|_anmeldung", "abgelaufen|beendet|ungültig"]),
    (WallKind::SessionOver, &["abgemeldet|ausgeloggt", "_sie |_du_|_wurde"]),
    (WallKind::SessionOver, &["_session", "expiré|terminée|n'est plus valide"]),
    (WallKind::SessionOver, &["déconnecté", "_vous |_tu_"]),
    (WallKind::SessionOver, &["_sesión", "caducad|expirad|caducó|expiró|cerrada|se ha cerrado"]),
    (
        WallKind::Login,
        &[
            "sign in|log in|_login_|log on|signin|sign-in|log-in|authenticat|logged in|signed in",
            "_must_|need to|have to|\
          _please_|required|to continue|to see|to view|to access|to proceed|_first_|_again_|before you|not logged|\
          not signed|aren't logged|aren't signed|isn't logged|with sso|with single|single sign|to use this|only for",
        ],
    ),
    (WallKind::Login, &["authentication required|login required|unauthenticated|sign in required"]),
    (
        WallKind::Login,
        &[
            "anmelden|einloggen|angemeldet|anmeldung|eingeloggt|melden sie sich|melde dich|loggen sie sich|logge dich|\
          log dich",
            "_bitte_|müssen|musst|_muss_|erforderlich|fortzufahren|zu sehen|erneut|wieder|_nicht_|_zuerst_|_um_",
        ],
    ),
    (
        WallKind::Login,
        &[
            "connecter|connectez-vous|connecte-toi|identifier|identifiez-vous|authentifi|_connecté|_connexion_",
            "devez|_dois_|veuillez|merci de|requise|nécessaire|pour continuer|pour accéder|pour voir|à nouveau|d'abord|_pas_",
        ],
    ),
    (
        WallKind::Login,
        &[
            "iniciar sesión|inicie sesión|inicia sesión|iniciado sesión|identificarse|identifíquese|identifícate|autenticar",
            "_debe|por favor|necesita|para continuar|para ver|para acceder|requiere|de nuevo|tiene que|tienes que|\
          nuevamente|_no_|primero",
        ],
    ),
    (
        WallKind::Code,
        &[
            "_code_|_codes_|_otp_|passcode|_pin_",
            "_enter|_type_|_input_|provide|confirm",
            "_sent_|digit|verification|\
          authenticator|one-time|one time|two-factor|security code|texted|emailed|authentication",
        ],
    ),
    (
        WallKind::Code,
        &[
            "code_",
            "eingeben|geben sie|_gib_",
            "gesendet|geschickt|stellig|bestätigung|sicherheit|authenticator|einmal|\
          zahlen",
        ],
    ),
    (
        WallKind::Code,
        &[
            "_code_",
            "saisi|entrez|_entrer_|tapez",
            "envoyé|chiffres|vérification|sécurité|authentification|unique",
        ],
    ),
    (
        WallKind::Code,
        &["_código_", "introdu|ingres|escriba", "enviad|enviamos|dígitos|cifras|verificación|seguridad"],
    ),
];

/// What kind of a wall a text speaks of, if any.
pub(crate) fn wall_said(text: &str) -> Option<WallKind> {
    let letters: String = in_one_line(text)
        .to_lowercase()
        .replace('\u{2019}', "'")
        .chars()
        .map(|letter| if letter.is_alphanumeric() || matches!(letter, '\'' | '-') { letter } else { ' ' })
        .collect();
    let text = format!(" {} ", in_one_line(&letters));
    // A search that finds nothing is a page of its own.
    const SEARCHES: &[&str] = &["result", "résultat", "ergebnis", "treffer", " matches "];
    if SEARCHES.iter().any(|word| text.contains(word)) {
        return None;
    }
    let has = |group: &str| group.split('|').any(|part| text.contains(part.replace('_', " ").as_str()));
    SAYINGS.iter().find(|(_, groups)| groups.iter().all(|group| has(group))).map(|(kind, _)| *kind)
}

/// What a page says of its own trouble, where that is what the page is about.
pub(crate) fn wall_of(scene: &Scene) -> Option<Wall> {
    const LONGEST_HEAD: usize = 60;
    const LONGEST: usize = 160;
    let spots = spots(scene);
    let is_short = is_short(scene, &spots);
    let wall = |text: &str, longest: usize| {
        let kind = wall_said(text).filter(|_| text.chars().count() <= longest)?;
        Some(Wall { kind, text: text.to_string() })
    };
    // A heading says it of the whole page, unless it is a page about it.
    let counts = |found: &Wall| match found.kind {
        WallKind::Nothing => true,
        WallKind::NoPermission => is_short || found.text.split_whitespace().count() <= 3,
        WallKind::Login | WallKind::SessionOver | WallKind::Code => is_short,
    };
    let heads = heading_of(scene).into_iter().chain([scene.title.as_str()]);
    if let Some(found) = heads.filter_map(|head| wall(head, LONGEST_HEAD)).find(counts) {
        return Some(found);
    }
    if !is_short {
        return None;
    }
    let has_fields = scene.nodes.iter().zip(&spots).any(|(node, spot)| {
        *spot != Spot::Chrome && matches!(node.role.as_str(), "textbox" | "combobox" | "spinbutton")
    });
    // A login and a code have fields; a page that one may not see has none.
    let fits = |found: &Wall| {
        !has_fields || matches!(found.kind, WallKind::Login | WallKind::SessionOver | WallKind::Code)
    };
    let is_said = |at: &usize| {
        let node = &scene.nodes[*at];
        spots[*at] != Spot::Chrome
            && matches!(
                node.role.as_str(),
                "text" | "heading" | "alert" | "status" | "link" | "button" | "paragraph"
            )
    };
    let said = (0..scene.nodes.len()).filter(is_said).filter_map(|at| {
        let node = &scene.nodes[at];
        let found = wall(&node.name, LONGEST)?;
        // Of controls only those that say how to log in: `Sign in with SSO`.
        let is_control = matches!(node.role.as_str(), "link" | "button");
        (!is_control || (found.kind == WallKind::Login && !has_other_controls(scene, &spots)))
            .then_some(found)
    });
    let mut said = said.filter(fits);
    said.next()
}

/// Whether a page has little on it, so that it is about what it says; a page with much may quote it.
fn is_short(scene: &Scene, spots: &[Spot]) -> bool {
    const LITTLE: usize = 12;
    const FEW_FIELDS: usize = 8;
    let in_content = || scene.nodes.iter().zip(spots).filter(|(_, spot)| **spot != Spot::Chrome);
    let texts = in_content().filter(|(node, spot)| **spot == Spot::Content && node.role == "text").count();
    let fields =
        in_content().filter(|(node, _)| matches!(node.role.as_str(), "textbox" | "spinbutton")).count();
    let has_data = in_content().any(|(node, _)| matches!(node.role.as_str(), "table" | "grid" | "combobox"));
    texts <= LITTLE && fields <= FEW_FIELDS && !has_data
}

/// Whether the content offers more than ways to log in.
fn has_other_controls(scene: &Scene, spots: &[Spot]) -> bool {
    const FEW: usize = 4;
    let is_control = |role: &str| matches!(role, "link" | "button");
    let controls =
        scene.nodes.iter().zip(spots).filter(|(node, spot)| **spot != Spot::Chrome && is_control(&node.role));
    let others = controls.filter(|(node, _)| !speaks_of_login(&node.name));
    others.count() >= FEW
}

/// Whether a text speaks of logging in, so that a field for a password belongs there.
pub(crate) fn speaks_of_login(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "login",
        "log in",
        "log-in",
        "logon",
        "signin",
        "sign in",
        "sign-in",
        "signup",
        "sign up",
        "sign-up",
        "register",
        "registration",
        "password",
        "anmelden",
        "connexion",
        "invitation",
        "setup",
        "install",
    ];
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::testing::scene;

    #[track_caller]
    fn check(title: &str, lines: &str, expected: Option<&str>) {
        let found = wall_of(&scene("/x", title, lines));
        assert_eq!(found.map(|wall| wall.text).as_deref(), expected, "{lines}");
    }

    #[test]
    fn an_error_page_says_so_whatever_its_status() {
        check("Shop", "h1 Page not found", Some("Page not found"));
        check("404 – Shop", "h1 Oops", Some("404 – Shop"));
        check(
            "Shop",
            "h1 Shop\ntext We couldn\u{2019}t find this page",
            Some("We couldn\u{2019}t find this page"),
        );
        check("Issues", "h1 Issues\ntable\n row\n  text Page not found after login", None);
        check("Room 4041", "h1 Room 4041", None);
    }

    #[test]
    fn a_page_says_in_four_languages_that_it_is_not_there_to_be_seen() {
        for (text, kind) in [
            ("Your session has expired. Sign in with SSO", WallKind::SessionOver),
            ("Please sign in to continue.", WallKind::Login),
            ("You must be logged in to see this.", WallKind::Login),
            ("Bitte melden Sie sich an.", WallKind::Login),
            ("Ihre Sitzung ist abgelaufen.", WallKind::SessionOver),
            ("Veuillez vous connecter pour continuer", WallKind::Login),
            ("Debe iniciar sesión", WallKind::Login),
            ("Enter the 6-digit code we sent you", WallKind::Code),
            ("Geben Sie den Code ein, den wir Ihnen gesendet haben", WallKind::Code),
            ("Saisissez le code envoyé par SMS", WallKind::Code),
            ("Introduzca el código que le enviamos", WallKind::Code),
            ("You do not have permission to view this page.", WallKind::NoPermission),
            ("You\u{2019}re not allowed to access this page", WallKind::NoPermission),
            ("Sie haben keine Berechtigung für diese Seite", WallKind::NoPermission),
            ("Vous n\u{2019}avez pas les droits nécessaires", WallKind::NoPermission),
            ("No tiene permiso para ver esta página", WallKind::NoPermission),
            ("Sorry, no such item.", WallKind::Nothing),
            ("Diese Seite existiert nicht.", WallKind::Nothing),
            ("Cette page n\u{2019}existe pas", WallKind::Nothing),
            ("La página no existe", WallKind::Nothing),
        ] {
            assert_eq!(wall_said(text), Some(kind), "{text}");
            check("Items", &format!("h1 Items\ntext {text}"), Some(text));
            let long = format!("h1 Items\ntable\n row\n  cell a\ntext {text}");
            check("Items", &long, None);
        }
        for text in [
            "No results found",
            "You have no orders yet",
            "Last login: yesterday",
            "Passwords must have 8 letters",
            "Enter a discount code",
            "Spaces are not allowed",
            "Logged in as ada",
            "Keine Bestellungen vorhanden",
        ] {
            assert_eq!(wall_said(text), None, "{text}");
        }
    }
}
