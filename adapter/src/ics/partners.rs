//! Partners: who plays beside whom in `supply2`.
use super::hall::{MOST_OFFERS, same};
use super::matches::ENGINE;
use super::server::{ClientId, Server};

/// Somebody would like to be somebody's partner.
#[derive(Debug, Clone)]
pub(super) struct PartnerOffer {
    pub(super) from: String,
    pub(super) to: String,
}

impl Server {
    /// `partner`.
    pub(super) fn partner(&mut self, id: ClientId, rest: &str) {
        let name = self.name(id);
        if rest.is_empty() {
            if self.player(id).is_none_or(|player| player.partner.is_none()) {
                return self.tell(id, "You have no partner.");
            }
            return self.part(id);
        }
        if same(rest, ENGINE) {
            return self.tell(id, "You need not ask: the engine plays beside whoever has no partner.");
        }
        let other = match self.find_name(rest) {
            Ok(other) if same(&other, &name) => return self.tell(id, "You cannot be your own partner."),
            Ok(other) => other,
            Err(why) => return self.tell(id, &why),
        };
        if let Some(at) =
            self.partner_offers.iter().position(|offer| same(&offer.from, &other) && same(&offer.to, &name))
        {
            self.partner_offers.remove(at);
            return self.join(id, &name, &other);
        }
        if self.named(&other).is_some_and(|player| player.partner.is_some()) {
            return self.tell(id, &format!("{other} already has a partner."));
        }
        if self.partner_offers.iter().filter(|offer| same(&offer.from, &name)).count() >= MOST_OFFERS {
            return self.tell(id, "You have asked enough people; `withdraw` takes that back.");
        }
        self.partner_offers.retain(|offer| !(same(&offer.from, &name) && same(&offer.to, &other)));
        self.tell(id, &format!("Making a partnership offer to {other}."));
        // In the words to which XBoard answers for its engine.
        self.tell_name(
            &other,
            &format!("{name} offers to be your bughouse partner; type \"partner {name}\" to accept."),
        );
        self.partner_offers.push(PartnerOffer { from: name, to: other });
    }

    pub(super) fn join(&mut self, id: ClientId, name: &str, other: &str) {
        let taken =
            |server: &Server, who: &str| server.named(who).is_none_or(|p| p.partner.is_some() || p.playing.is_some());
        if taken(self, name) || taken(self, other) {
            return self.tell(id, "One of you has a partner or a game already.");
        }
        for (one, two) in [(name, other), (other, name)] {
            if let Some(player) = self.named_mut(one) {
                player.partner = Some(two.to_owned());
            }
        }
        self.tell(id, &format!("You agree to be {other}'s partner."));
        self.tell_name(other, &format!("{name} agrees to be your partner."));
        self.partner_offers.retain(|o| ![name, other].iter().any(|n| same(&o.from, n) || same(&o.to, n)));
    }

    /// Ends a partnership.
    pub(super) fn part(&mut self, id: ClientId) {
        let Some(partner) = self.player_mut(id).and_then(|player| player.partner.take()) else { return };
        let name = self.name(id);
        self.tell(id, "You no longer have a bughouse partner.");
        if let Some(player) = self.named_mut(&partner)
            && player.partner.as_deref().is_some_and(|own| same(own, &name))
        {
            player.partner = None;
            self.tell_name(&partner, "Your partner has ended the partnership.");
            self.tell_name(&partner, "You no longer have a bughouse partner.");
        }
    }
}
