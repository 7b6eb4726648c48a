//! What pilots and judges must not see: the secrets of the test, and what was typed into fields for secrets.

use std::borrow::Cow;
use std::rc::Rc;

use assay_protocol::{MaskText, Scene, Secrets};

use crate::attempt::Attempt;

impl Attempt<'_> {
    pub(crate) fn hidden(&self) -> Cow<'_, Secrets> {
        if self.state.typed_secrets.is_empty() {
            return Cow::Borrowed(self.context.secrets);
        }
        let mut all = self.context.secrets.clone();
        all.merge(&self.state.typed_secrets);
        Cow::Owned(all)
    }

    pub(crate) fn mask_for_guests(&self, text: &str) -> String {
        self.hidden().mask(text)
    }

    pub(crate) fn scene_for_guests(&self, scene: Rc<Scene>) -> Rc<Scene> {
        let hidden = self.hidden();
        if hidden.is_empty() {
            return scene;
        }
        let mut scene = Scene::clone(&scene);
        scene.mask_text(&hidden);
        Rc::new(scene)
    }
}
