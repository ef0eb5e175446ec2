// What the vendor of Kling's wire serves.
import { ownedBy, type Offer } from "../offer.ts";

export const klingOffers: readonly Offer[] = [
  { name: "sandbox-kling", type: "kling", serves: ownedBy(["vendorE"], "video") },
];
