use super::*;
use assay_testkit::Params;

/// A browser's cookies, and the application it talks to.
struct Browser<'a> {
    app: &'a App,
    cookies: Vec<(String, String)>,
}

impl Browser<'_> {
    /// The status, and where to or the beginning of what.
    fn send(&mut self, method: &str, address: &str, form: &str) -> (u16, String) {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: Params::parse(query),
            headers: vec![("cookie".to_owned(), cookies.join("; "))],
            body: form.as_bytes().to_vec(),
        };
        let response = self.app.answer(&request);
        for line in response.headers().filter(|(name, _)| *name == "Set-Cookie").map(|(_, value)| value) {
            let pair = line.split(';').next().unwrap_or_default();
            let (name, value) = pair.split_once('=').unwrap();
            self.cookies.retain(|(known, _)| known != name);
            if !value.is_empty() {
                self.cookies.push((name.to_owned(), value.to_owned()));
            }
        }
        let place =
            response.headers().find(|(name, _)| *name == "Location").map(|(_, value)| value.to_owned());
        let body = String::from_utf8_lossy(response.body()).into_owned();
        (response.status_code(), place.unwrap_or(body))
    }
}

fn app() -> App {
    App { state: Mutex::default() }
}

fn logged_in(app: &App) -> Browser<'_> {
    let mut browser = Browser { app, cookies: Vec::new() };
    let answer = browser.send("POST", "/login", "email=test%40example.com&password=secret123");
    assert_eq!(answer, (303, "/dashboard".to_owned()));
    browser
}

#[test]
fn the_right_password_leads_to_the_dashboard() {
    let app = app();
    let (status, page) = logged_in(&app).send("GET", "/dashboard", "");
    assert_eq!(status, 200);
    assert!(page.contains("<title>Dashboard</title>") && page.contains(">Welcome, test@example.com</h1>"));
}

#[test]
fn a_wrong_password_is_told() {
    let app = app();
    let mut browser = Browser { app: &app, cookies: Vec::new() };
    let (status, page) = browser.send("POST", "/login", "email=test%40example.com&password=x");
    assert_eq!(status, 200);
    assert!(page.contains("role=\"alert\">Wrong email or password.</p>"));
    assert!(page.contains("value=\"test@example.com\""));
    assert!(
        browser.send("POST", "/login", "email=&password=").1.contains("Enter your email and your password.")
    );
}

#[test]
fn without_a_session_every_page_is_the_login() {
    let app = app();
    let mut browser = Browser { app: &app, cookies: Vec::new() };
    for path in ["/", "/dashboard", "/settings", "/nowhere"] {
        assert_eq!(browser.send("GET", path, ""), (303, "/login".to_owned()));
    }
    assert_eq!(browser.send("GET", "/api/tickets", "").0, 401);
}

#[test]
fn tickets_are_added_completed_and_deleted() {
    let app = app();
    let mut browser = logged_in(&app);
    let ticket = |done| format!(r#"{{"id":7,"title":"Paint \"it\"","priority":"high","done":{done}}}"#);
    assert_eq!(
        browser.send("POST", "/api/tickets", "title=Paint+%22it%22&priority=high"),
        (201, ticket("false"))
    );
    assert_eq!(browser.send("POST", "/api/tickets/7", "done=true"), (200, ticket("true")));
    assert!(browser.send("GET", "/api/tickets", "").1.contains(&ticket("true")));
    assert_eq!(browser.send("DELETE", "/api/tickets/7", ""), (200, ticket("true")));
    assert_eq!(browser.send("DELETE", "/api/tickets/7", "").0, 404);
    assert_eq!(browser.send("POST", "/api/tickets/clear", ""), (200, r#"{"removed":2}"#.to_owned()));
}

#[test]
fn a_ticket_that_will_not_do_is_refused_with_a_sentence() {
    let app = app();
    let answer = logged_in(&app).send("POST", "/api/tickets", "title=");
    assert_eq!(answer, (200, r#"{"error":"Enter a title for the ticket."}"#.to_owned()));
}

#[test]
fn tickets_stay_after_logging_out_and_belong_to_one_browser() {
    let app = app();
    let mut browser = logged_in(&app);
    browser.send("POST", "/api/tickets", "title=Mine");
    assert_eq!(browser.send("POST", "/logout", ""), (303, "/login?out".to_owned()));
    assert_eq!(browser.send("GET", "/dashboard", ""), (303, "/login".to_owned()));
    browser.send("POST", "/login", "email=test%40example.com&password=secret123");
    assert!(browser.send("GET", "/api/tickets", "").1.contains("Mine"));
    assert!(!logged_in(&app).send("GET", "/api/tickets", "").1.contains("Mine"));
}

#[test]
fn settings_are_kept() {
    let app = app();
    let mut browser = logged_in(&app);
    let answer = browser.send("POST", "/settings", "name=Ada&harbor=Bergen&theme=dark");
    assert_eq!(answer, (303, "/settings?saved".to_owned()));
    let page = browser.send("GET", "/settings?saved", "").1;
    assert!(page.contains("data-theme=\"dark\"") && page.contains("value=\"Ada\""));
    assert!(page.contains("<option selected>Bergen</option>") && page.contains("Settings saved."));
}

#[test]
fn an_account_that_is_not_active_is_told_so() {
    let app = app();
    let mut browser = Browser { app: &app, cookies: Vec::new() };
    let page = browser.send("POST", "/login", "email=expired%40example.com&password=secret123").1;
    assert!(page.contains(">Account expired. Ask the harbor office to renew it.</p>"), "{page}");
    let page = browser.send("POST", "/login", "email=locked%40example.com&password=secret123").1;
    assert!(page.contains(">Account locked. "), "{page}");
}

#[test]
fn accounts_are_made_from_outside() {
    let app = app();
    let mut browser = Browser { app: &app, cookies: Vec::new() };
    let body = r#"{"email":"new@example.com","password":"pw"}"#;
    assert_eq!(browser.send("POST", "/api/users", body).0, 201);
    assert_eq!(browser.send("POST", "/login", "email=new%40example.com&password=pw").0, 303);
    assert!(browser.send("GET", "/dashboard", "").1.contains("Welcome, new@example.com"));
    assert_eq!(browser.send("POST", "/api/users", "{").0, 400);
    assert_eq!(browser.send("POST", "/api/users", "email=x").0, 400);
}

#[test]
fn a_reset_from_a_browser_concerns_that_browser_only() {
    let app = app();
    let (mut one, mut two) = (logged_in(&app), logged_in(&app));
    for browser in [&mut one, &mut two] {
        browser.send("POST", "/api/cart/add", "product=1&quantity=1");
    }
    assert_eq!(one.send("POST", "/api/reset", "").0, 200);
    assert!(one.send("GET", "/cart", "").1.contains("Your cart is empty."));
    assert!(two.send("GET", "/cart", "").1.contains("<td>Brass Lantern</td>"));
    Browser { app: &app, cookies: Vec::new() }.send("POST", "/api/reset", "");
    assert_eq!(two.send("GET", "/dashboard", ""), (303, "/login".to_owned()));
}

#[test]
fn an_order_is_placed_without_logging_in() {
    let app = app();
    let mut browser = Browser { app: &app, cookies: Vec::new() };
    assert_eq!(browser.send("GET", "/checkout", ""), (303, "/cart".to_owned()));
    browser.send("POST", "/api/cart/add", "product=9&quantity=2");
    let page = browser.send("POST", "/checkout", "name=%3CAda%3E+%7B%7Buser%7D%7D").1;
    assert!(page.contains("<li>Accept the terms to continue.</li>"));
    assert!(page.contains("value=\"&lt;Ada&gt; &#123;&#123;user}}\""));
    let form = "name=Ada&email=a%40b.c&street=Quay+1&postcode=12345&country=Norway&delivery=express&terms=on";
    assert_eq!(browser.send("POST", "/checkout", form), (303, "/order?number=H-1001".to_owned()));
    let page = browser.send("GET", "/order?number=H-1001", "").1;
    assert!(page.contains("<td id=\"order-total\">30.00 €</td>") && page.contains("Express, 9.00 €"));
}

#[test]
fn users_are_changed_and_deleted() {
    let app = app();
    let mut browser = logged_in(&app);
    assert_eq!(browser.send("POST", "/api/people/role", "id=2&role=Admin").0, 200);
    assert_eq!(browser.send("POST", "/api/people/suspend", "id=2&suspended=true").0, 200);
    assert_eq!(browser.send("POST", "/api/people/delete", "id=3").0, 200);
    assert_eq!(browser.send("POST", "/api/people/delete", "id=3").0, 404);
    let page = browser.send("GET", "/users", "").1;
    assert!(page.contains("grace@harbor.example</td><td>Admin</td><td>Suspended</td>"));
    assert!(!page.contains("Alan Turing"));
}

#[test]
fn every_page_of_the_gallery_opens_and_has_no_blank() {
    let app = app();
    let mut browser = Browser { app: &app, cookies: Vec::new() };
    let index = browser.send("GET", "/gallery", "").1;
    let addresses: Vec<&str> =
        index.split("href=\"").skip(1).filter_map(|part| part.split('"').next()).collect();
    let pages: Vec<&str> = addresses.into_iter().filter(|address| address.starts_with("/gallery/")).collect();
    assert_eq!(pages.len(), 16);
    for address in pages.into_iter().chain(["/shop", "/shop/product?id=3", "/cart"]) {
        let (status, page) = browser.send("GET", address, "");
        assert!(status == 200 && !page.contains("{{"), "{address}: {page}");
    }
    assert_eq!(browser.send("GET", "/gallery/archive", "").0, 500);
}

#[test]
fn the_counter_forgets_a_boat() {
    let app = app();
    let mut browser = Browser { app: &app, cookies: Vec::new() };
    browser.send("GET", "/gallery/counter", "");
    browser.send("POST", "/api/boats", "boats=3");
    assert!(browser.send("GET", "/gallery/counter", "").1.contains("<strong id=\"boats\">2</strong>"));
}
