// Models served by the vendor of MiniMax's wire.
import { ownedBy, type Offer } from "../offer.ts";

export const minimaxOffers: readonly Offer[] = [
  { name: "sandbox-minimax", type: "minimax", serves: ownedBy(["vendorD"], "video") },
];
