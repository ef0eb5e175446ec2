// Models served by the vendor of Kling's wire.
import { ownedBy, type Offer } from "../offer.ts";

export const klingOffers: readonly Offer[] = [
  { name: "sandbox-kling", type: "kling", serves: ownedBy(["vendorE"], "video") },
];
