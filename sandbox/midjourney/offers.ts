// Models served by the vendor of Midjourney's wire.
import { ownedBy, type Offer } from "../offer.ts";

export const midjourneyOffers: readonly Offer[] = [
  { name: "sandbox-midjourney", type: "midjourney", serves: ownedBy(["vendorF"], "image") },
];
