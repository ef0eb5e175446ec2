// Models served by the vendor of Anthropic's wire.
import { ownedBy, type Offer } from "../offer.ts";

export const anthropicOffers: readonly Offer[] = [
  {
    name: "sandbox-anthropic",
    type: "anthropic",
    serves: ownedBy(["vendorB", "anthropic"], "text"),
  },
];
