//! Requests that an engine pauses until the fault of the tab or the routes of its context have decided about them.
//!
//! Knows addresses, methods and counting, so all drivers decide alike. Does not know how an engine pauses a request.

use assay_protocol::{Emulation, Route, RouteAnswer, RouteCount};

use crate::{ArmedFault, RequestAnswer};

/// State that the pages of one context share beside cookies: emulated settings, and routes.
#[derive(Debug, Clone, Default)]
pub struct ContextSettings {
    pub emulation: Emulation,
    pub routes: ArmedRoutes,
}

/// One request waiting for a decision.
#[derive(Debug, Clone, Copy)]
pub struct HeldRequest<'a> {
    pub method: &'a str,
    pub url: &'a str,
    pub is_document: bool,
    /// The requesting origin, if known.
    pub origin: Option<&'a str>,
    /// For a preflight request, the method that needs permission.
    pub permission_for: Option<&'a str>,
}

/// The decision about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    LetGo,
    /// The connection breaks.
    Break,
    Answer(RequestAnswer),
}

/// Decides about a request. The second value says whether the fault decided.
pub fn decide(
    fault: Option<&mut ArmedFault>,
    routes: &mut ArmedRoutes,
    request: HeldRequest<'_>,
) -> (Decision, bool) {
    if let Some(how) = fault.and_then(|armed| armed.strikes(request.method, request.url)) {
        let answer = how.answer(request.is_document, request.origin);
        return (answer.map_or(Decision::Break, Decision::Answer), true);
    }
    (routes.decide(request), false)
}

/// The routes of a context, with the number of answers of each.
#[derive(Debug, Clone, Default)]
pub struct ArmedRoutes {
    routes: Vec<RouteCount>,
}

impl ArmedRoutes {
    /// Replaces the routes. A route that stays keeps its count.
    pub fn set(&mut self, routes: Vec<Route>) {
        let before = std::mem::take(&mut self.routes);
        let count = |route: Route| {
            let known = before.iter().find(|known| known.route == route);
            RouteCount { struck: known.map_or(0, |known| known.struck), route }
        };
        self.routes = routes.into_iter().map(count).collect();
    }

    pub fn counts(&self) -> &[RouteCount] {
        &self.routes
    }

    pub fn is_empty(&self) -> bool {
        self.routes.is_empty()
    }

    /// Of several routes that match, the last one answers.
    fn decide(&mut self, request: HeldRequest<'_>) -> Decision {
        let method = request.permission_for.unwrap_or(request.method);
        let found = self.routes.iter_mut().rev().find(|known| known.route.matches(method, request.url));
        let Some(known) = found else { return Decision::LetGo };
        if request.permission_for.is_some() {
            // The server that would have to permit it may not even know the address.
            return Decision::Answer(RequestAnswer::permission(request.origin));
        }
        known.struck = known.struck.saturating_add(1);
        match &known.route.answer {
            RouteAnswer::Abort => Decision::Break,
            RouteAnswer::Fulfill { status, body, content_type } => Decision::Answer(RequestAnswer::new(
                *status,
                content_type.clone(),
                body.clone(),
                request.origin,
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_protocol::UrlPattern;

    use super::*;

    fn route(pattern: &str, status: u16) -> Route {
        let pattern = UrlPattern::new(pattern).expect("a pattern");
        let answer =
            RouteAnswer::Fulfill { status, body: String::new(), content_type: "text/plain".to_string() };
        Route { pattern, method: None, answer }
    }

    fn request(method: &'static str, url: &'static str) -> HeldRequest<'static> {
        HeldRequest { method, url, is_document: false, origin: None, permission_for: None }
    }

    fn status(decision: &Decision) -> Option<u16> {
        match decision {
            Decision::Answer(answer) => Some(answer.status),
            Decision::Break | Decision::LetGo => None,
        }
    }

    #[test]
    fn the_last_route_that_matches_answers_and_counts() {
        let mut routes = ArmedRoutes::default();
        routes.set(vec![route("**/api/**", 200), route("**/api/cart", 500)]);
        let (decided, by_fault) = decide(None, &mut routes, request("GET", "http://a.test/api/cart"));
        assert_eq!((status(&decided), by_fault), (Some(500), false));
        decide(None, &mut routes, request("GET", "http://a.test/api/user"));
        let (free, _) = decide(None, &mut routes, request("GET", "http://a.test/"));
        assert_eq!(free, Decision::LetGo);
        let struck: Vec<u32> = routes.counts().iter().map(|known| known.struck).collect();
        assert_eq!(struck, [1, 1]);
        routes.set(vec![route("**/api/cart", 500), route("**/new", 204)]);
        let struck: Vec<u32> = routes.counts().iter().map(|known| known.struck).collect();
        assert_eq!(struck, [1, 0], "a route that stays goes on counting");
    }

    #[test]
    fn permission_for_a_routed_request_is_given_and_not_counted() {
        let mut routes = ArmedRoutes::default();
        routes.set(vec![Route { method: Some("PUT".to_string()), ..route("**/cart", 200) }]);
        let question = HeldRequest {
            permission_for: Some("PUT"),
            origin: Some("http://b.test"),
            ..request("OPTIONS", "http://a.test/cart")
        };
        let (decided, _) = decide(None, &mut routes, question);
        assert_eq!(status(&decided), Some(204));
        assert_eq!(routes.counts()[0].struck, 0);
    }
}
