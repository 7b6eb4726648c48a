//! The capabilities that an emulation needs.

use assay_protocol::{Emulation, NetworkCondition};

use crate::Capability;

/// Everything that this emulation needs. Checked before anything is emulated: half of it would be worse than none.
pub fn emulation_needs(emulation: &Emulation) -> Vec<Capability> {
    let mut needs = Vec::new();
    let mut need = |wanted: bool, capability: Capability| {
        if wanted {
            needs.push(capability);
        }
    };
    let media = emulation.color_scheme.is_some() || emulation.reduced_motion.is_some();
    need(media || emulation.media.is_some(), Capability::MediaFeatures);
    need(emulation.locale.is_some(), Capability::Locale);
    need(emulation.timezone.is_some(), Capability::TimeZone);
    need(emulation.geolocation.is_some(), Capability::Geolocation);
    need(emulation.network == Some(NetworkCondition::Offline), Capability::Offline);
    need(emulation.network.is_some_and(|network| network.profile().is_some()), Capability::SlowNetwork);
    if let Some(device) = &emulation.device {
        need(true, Capability::Viewport);
        need(device.scale != 1.0, Capability::DeviceScale);
        need(device.touch, Capability::Touch);
        need(!device.user_agent.is_empty(), Capability::UserAgent);
    }
    need(emulation.clock.is_some(), Capability::PageClock);
    needs
}

#[cfg(test)]
mod tests {
    use assay_protocol::Device;

    use super::*;

    #[test]
    fn an_emulation_needs_what_it_names() {
        assert_eq!(emulation_needs(&Emulation::default()), []);
        let phone = Emulation { device: Device::named("Pixel 9").cloned(), ..Emulation::default() };
        let needs = [Capability::Viewport, Capability::DeviceScale, Capability::Touch, Capability::UserAgent];
        assert_eq!(emulation_needs(&phone), needs);
        let slow = Emulation { network: Some(NetworkCondition::Slow3g), ..Emulation::default() };
        assert_eq!(emulation_needs(&slow), [Capability::SlowNetwork]);
    }
}
