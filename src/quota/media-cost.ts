// The cost of pictures and films: what the vendor of a channel takes for what was charged.
import type { ChannelCost } from "../config/price-parts.ts";
import { multiplyPrice, type Micros } from "../core/money.ts";
import type { ImageTokens } from "./image-tokens.ts";
import {
  imageCost,
  snapshotMedia,
  videoCost,
  type MediaAmounts,
  type MediaPrice,
} from "./media-price.ts";
import { toListedPrice } from "./price-rows.ts";

/** Delivery, which is never nothing. */
interface MediaMade {
  images?: number;
  seconds?: number;
  /** The vendor's count; null where there is none. */
  tokens: ImageTokens | null;
  /** The most tokens of one image; null where they are not known any more. */
  most: ImageTokens | null;
}

interface CostAsk {
  price: MediaPrice;
  says: ChannelCost;
  /** Names of the model. */
  names: readonly string[];
  came: MediaMade;
}

const noFacts = { size: null, quality: null, resolution: null, tier: null };
const partsPerOne = 1_000_000;
const partsPerPercent = 10_000;

/** The channel's own price of the model, else its share of the list; null where unknown. */
export function mediaCost({ price, says, names, came }: CostAsk): Micros | null {
  const kind = came.seconds === undefined ? "image" : "video";
  const own = says.prices?.find(({ model }) => names.includes(model));
  const amounts =
    (own && snapshotMedia(toListedPrice(own), noFacts, { kind, multiplierPpm: partsPerOne })) ??
    shareOf(price.list, (says.percent ?? 100) * partsPerPercent);
  if (!amounts) return null;
  if (came.seconds !== undefined) return videoCost(amounts, came.seconds);
  const { tokens, most } = came;
  if (amounts.tokens?.isOnly && !tokens && !most) return null;
  // A vendor that made no picture of its own, as of a description, was asked once all the same.
  const images = Math.max(1, came.images ?? 0);
  return imageCost(amounts, { images, most: most ?? noTokens }, tokens);
}

const noTokens: ImageTokens = { inputTokens: 0, outputTokens: 0 };

function shareOf(list: MediaAmounts | undefined, ppm: number): MediaAmounts | null {
  if (!list) return null;
  const { secondMicros, imageMicros, callMicros, tokens } = list;
  return {
    secondMicros: multiplyPrice(secondMicros, ppm),
    imageMicros: multiplyPrice(imageMicros, ppm),
    callMicros: multiplyPrice(callMicros, ppm),
    ...(tokens && {
      tokens: {
        ...tokens,
        input: multiplyPrice(tokens.input, ppm),
        output: multiplyPrice(tokens.output, ppm),
      },
    }),
  };
}
