// Models served by the vendor of Ark's wire; it also has videos of a maker who has no wire for
// them.
import { ownedBy, type Offer } from "../offer.ts";

const isOwn = ownedBy(["vendorG"], "image", "video");

export const arkOffers: readonly Offer[] = [
  {
    name: "sandbox-ark",
    type: "ark",
    serves: (model) => isOwn(model) || model.id.startsWith("omni"),
    names: { "imageG-4-0-250828": "doubao-seedream-4-0-250828" },
  },
];
