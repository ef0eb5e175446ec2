// Models served by the vendor of Google's wire.
import { ownedBy, type Offer } from "../offer.ts";

const isText = ownedBy(["vendorC", "google"], "text", "embedding");
const isImage = ownedBy(["vendorC"], "image");

export const googleOffers: readonly Offer[] = [
  {
    name: "sandbox-google",
    type: "google",
    serves: (model) => isText(model) || isImage(model) || model.id.startsWith("videoA"),
    names: {
      "imageH-3-pro-image-preview": "gemini-3-pro-image",
      "imageH-3.1-flash-lite-image": "gemini-3.1-flash-lite-image",
    },
  },
];
