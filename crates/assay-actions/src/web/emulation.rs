//! What pages are made to believe, and who answers for their servers: the state of the current tab's context.
//!
//! The driver keeps it, because a popup has to have it before its first script. Here it is checked against what the
//! browser can do, and changed as a whole.

use std::time::{SystemTime, UNIX_EPOCH};

use assay_driver::{Capability, Deadline, DriverError, emulation_needs};
use assay_protocol::{
    Arrangement, ClockOperation, Emulation, ErrorCode, Failure, Geolocation, NetworkCondition, Route,
    RouteCount, UrlPattern,
};

use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::Interrupted;

impl WebContext {
    /// What is emulated in the context of the current tab.
    pub fn emulation(&mut self) -> Result<Emulation, Failure> {
        Ok(self.any_tab()?.surface.emulation())
    }

    /// Emulates this and nothing else, in all tabs of the current tab's context and in those that come.
    pub async fn emulate(&mut self, emulation: &Emulation, deadline: Deadline) -> Result<(), Failure> {
        self.have_tab(deadline).await?;
        check(emulation)?;
        for capability in emulation_needs(emulation) {
            self.need(capability)?;
        }
        let tab = self.tab()?;
        let work = tab.surface.emulate(emulation.clone(), deadline);
        match self.unless_dialog(&tab, deadline, work).await {
            // What was asked for may be half there: nothing is better than something else than what was asked for.
            Err(Interrupted::Driver(DriverError::Refused { message, .. })) => {
                let nothing = tab.surface.emulate(Emulation::default(), deadline);
                let _as_good_as_possible = self.unless_dialog(&tab, deadline, nothing).await;
                Err(Failure::new(ErrorCode::Usage, format!("the browser does not emulate this: {message}")))
            }
            other => other.map_err(|interrupted| interrupted.into_failure("emulating")),
        }
    }

    /// Gives pages a clock of their own, or moves the one they have.
    pub async fn clock(&mut self, operation: ClockOperation, deadline: Deadline) -> Result<(), Failure> {
        self.have_tab(deadline).await?;
        self.need(Capability::PageClock)?;
        let emulation = self.emulation()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
        let Some(clock) = operation.apply(emulation.clock, now) else {
            let message = "the page has no clock of its own that could be moved";
            return Err(Failure::new(ErrorCode::Usage, message).hint("install one first"));
        };
        self.emulate(&Emulation { clock, ..emulation }, deadline).await
    }

    /// Answers requests of the current tab's context by this route, from now on. It goes before those that are there,
    /// and takes the place of one for the same requests.
    pub async fn route(&mut self, route: &Route, deadline: Deadline) -> Result<(), Failure> {
        self.have_tab(deadline).await?;
        self.need(Capability::Routes)?;
        let tab = self.tab()?;
        let same = |known: &Route| known.pattern == route.pattern && known.method == route.method;
        let mut routes = routes_of(&tab);
        routes.retain(|known| !same(known));
        routes.push(route.clone());
        self.set_routes(&tab, routes, deadline).await
    }

    /// Ends the routes with this pattern, or all of them. Gives back how many there were.
    pub async fn unroute(
        &mut self,
        pattern: Option<&UrlPattern>,
        deadline: Deadline,
    ) -> Result<usize, Failure> {
        self.have_tab(deadline).await?;
        self.need(Capability::Routes)?;
        let tab = self.tab()?;
        let before = routes_of(&tab);
        let kept: Vec<Route> = match pattern {
            Some(pattern) => before.iter().filter(|known| known.pattern != *pattern).cloned().collect(),
            None => Vec::new(),
        };
        let ended = before.len() - kept.len();
        if ended > 0 {
            self.set_routes(&tab, kept, deadline).await?;
        }
        Ok(ended)
    }

    /// The routes of the current tab's context, with what each has answered.
    pub fn routes(&mut self) -> Result<Vec<RouteCount>, Failure> {
        Ok(self.any_tab()?.surface.routes())
    }

    async fn set_routes(
        &self,
        tab: &TabHandle,
        routes: Vec<Route>,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        let set = self.unless_dialog(tab, deadline, tab.surface.set_routes(routes, deadline)).await;
        set.map_err(|interrupted| interrupted.into_failure("setting the routes"))
    }
}

/// What is arranged now for the requests of a tab, by method and address.
pub(crate) fn arrangement_in(tab: &TabHandle) -> impl Fn(&str, &str) -> Option<Arrangement> + use<> {
    let routes = routes_of(tab);
    let is_offline = tab.surface.emulation().network == Some(NetworkCondition::Offline);
    move |method, url| {
        if routes.iter().any(|route| route.matches(method, url)) {
            return Some(Arrangement::Routed);
        }
        is_offline.then_some(Arrangement::Offline)
    }
}

fn routes_of(tab: &TabHandle) -> Vec<Route> {
    tab.surface.routes().into_iter().map(|known| known.route).collect()
}

/// Numbers that no engine takes; names are judged by the engine, which knows them.
fn check(emulation: &Emulation) -> Result<(), Failure> {
    if let Some(Geolocation { latitude, longitude, accuracy }) = emulation.geolocation
        && !((-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude) && accuracy >= 0.0)
    {
        let message = format!(
            "expected a latitude from -90 to 90 and a longitude from -180 to 180, found {latitude}, {longitude}"
        );
        return Err(Failure::new(ErrorCode::Usage, message));
    }
    Ok(())
}
