// Models served by the vendor of OpenAI's wire, in two of its formats. Text of makers without a
// wire of their own is spoken here too.
import { ownedBy, type Offer } from "../offer.ts";

const isText = ownedBy(["vendorA", "openai", "vendorD"], "text");
const isOther = ownedBy(["vendorA", "openai"], "embedding", "image", "video");

const names = {
  // The first of its kind was shut down.
  "imageA-1": "gpt-image-1.5",
  "imageA-2": "gpt-image-2",
  "imageA-2-pro": "gpt-image-2-pro",
  "imageA-2-vip": "gpt-image-2-vip",
  "imageA-2.5-flare": "gpt-image-2.5-flare",
  "imageA-2.5-sunburst": "gpt-image-2.5-sunburst",
};

export const openaiOffers: readonly Offer[] = [
  {
    name: "sandbox",
    type: "openai",
    serves: (model) => isText(model) || isOther(model),
    names,
  },
  { name: "sandbox-responses", type: "openai", dialect: "responses", serves: isText },
];
