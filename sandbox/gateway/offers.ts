// Models of the reseller, under the gateway's own names: all that a family may allow and its
// maker's wire cannot say. The models of imgF are asked for by routes that it does not have.
import type { Offer } from "../offer.ts";

export const gatewayOffers: readonly Offer[] = [
  {
    name: "sandbox-gateway",
    type: "gateway",
    priority: -1,
    serves: ({ kind, ownedBy }) => kind === "video" || (kind === "image" && ownedBy !== "vendorF"),
  },
];
