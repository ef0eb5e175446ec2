// Models that count more for a picture than `text.image_tokens_max` holds.
import { remembered } from "./remembered.ts";

/** 2,833 for a picture and 5,667 for each of its tiles, of which there are eight at most. */
const smallModel = /(?:^|\/)gpt-4o-mini(?:-|$)/;
const smallModelTokensMax = 48_169;

/** The most that a model counts for one picture; 0 where it is the usual. */
export const pictureTokensOf = remembered((model) =>
  smallModel.test(model) ? smallModelTokensMax : 0,
);

/** The most where Qwen's models are asked to see all pixels. */
export const fullPictureTokensMax = 16_384;
