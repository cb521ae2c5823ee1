//! The generated web as something that can be served.

use crate::html::render;
use crate::server::{Reply, Site};
use crate::world::{Answer, World};
use std::time::Duration;

impl Site for World {
    fn reply(&self, url: &str) -> Reply {
        let host = self.host_of_url(url).map(|h| &self.hosts[h]);
        let kind = host.map_or("-", |h| h.kind.name());
        let mut reply = match self.resolve(url) {
            Answer::Page(page) => {
                let rendered = render(self, &page);
                Reply {
                    status: 200,
                    content_type: rendered.content_type.to_string(),
                    location: None,
                    body: rendered.body,
                    language: page.language.to_string(),
                    kind: kind.to_string(),
                    delay: Duration::ZERO,
                }
            }
            Answer::Redirect(to) => Reply {
                location: Some(to.clone()),
                ..Reply::text(301, kind, format!("Moved to {to}\n"))
            },
            Answer::Robots(text) => Reply::text(200, "robots", text),
            Answer::Missing => Reply::text(404, kind, "No such page.\n"),
            Answer::NoHost => {
                Reply::text(502, "-", "No host of this web has that name and port.\n")
            }
        };
        reply.delay = Duration::from_millis(host.map_or(0, |h| h.delay_ms));
        reply
    }
}
