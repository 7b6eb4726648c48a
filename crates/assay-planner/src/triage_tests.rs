use super::*;

fn order(goal: &str, address: Option<&str>) -> PlanRequest {
    PlanRequest {
        goal: Some(goal.to_string()),
        address: address.map(str::to_string),
        ..PlanRequest::default()
    }
}

#[track_caller]
fn asks(goal: &str, address: Option<&str>, expected: &[&str]) {
    let scope = triage(&order(goal, address));
    let ids: Vec<&str> = scope.blocking().map(|question| question.id.as_str()).collect();
    assert_eq!(ids, expected, "{scope:?}");
}

const LOCAL: Option<&str> = Some("http://127.0.0.1:8080/");

#[test]
fn what_has_to_be_asked_is_found_without_a_call() {
    asks("A user can log in with email and password", LOCAL, &[]);
    asks("A user can log in with email and password", None, &["address"]);
    asks("Test everything", LOCAL, &["goal"]);
    asks("please check if the whole website works properly", LOCAL, &["goal"]);
    asks("Test the login", LOCAL, &[]);
    asks("The receipt is printed on paper", LOCAL, &["scope"]);
    asks("A guest can buy a lamp", LOCAL, &[]);
    asks("A guest can buy a lamp", Some("https://shop.test/"), &[]);
    asks("A guest can buy a lamp", Some("https://staging.shop.com/"), &[]);
    asks("A guest can buy a lamp", Some("https://www.shop.com/"), &["environment"]);
    asks("A guest can read about lamps", Some("https://www.shop.com/"), &[]);
}

#[test]
fn an_answer_closes_its_question() {
    let mut order = order("A guest can buy a lamp", Some("https://www.shop.com/"));
    order.answers = crate::read_answers("environment: yes, orders are thrown away every night");
    assert!(triage(&order).questions.is_empty());
    let mut order = self::order("Test it", LOCAL);
    order.answers = crate::read_answers("goal: a guest searches for a lamp and sees its price");
    assert!(triage(&order).questions.is_empty());
}

#[test]
fn a_document_is_taken_apart() {
    let document = "# Tickets\n\nA user can open a ticket. The list must be fast.\n\n\
                    - R1 A ticket without a title is refused\n- The reporter gets an e-mail\n- R2 Priorities: TBD\n\
                    - The list shows at most 20 tickets quickly\n";
    let order = PlanRequest {
        document: Some(document.to_string()),
        address: LOCAL.map(str::to_string),
        ..PlanRequest::default()
    };
    let scope = triage(&order);
    assert_eq!(
        scope.included,
        [
            "A user can open a ticket.",
            "R1 A ticket without a title is refused",
            "The list shows at most 20 tickets quickly"
        ]
    );
    let why: Vec<&str> = scope.excluded.iter().map(|one| one.why.as_str()).collect();
    assert_eq!(why, ["emails and messages do not appear on a page"]);
    let points: Vec<&str> = scope.ambiguous.iter().map(|one| one.point.as_str()).collect();
    assert_eq!(points, ["The list must be fast.", "R2 Priorities: TBD"]);
    assert!(scope.questions.is_empty());
}

#[test]
fn a_dot_inside_a_word_ends_no_sentence() {
    assert_eq!(
        statements("Open 127.0.0.1 and search. Then log out."),
        ["Open 127.0.0.1 and search.", "Then log out."]
    );
}
