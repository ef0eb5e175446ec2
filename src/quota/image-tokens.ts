// The most tokens that an image can take, for prices by the token. Vendors count an image by its
// pixels and its quality; what they count is known only when it is there.

export interface ImageTokens {
  inputTokens: number;
  outputTokens: number;
}

/** Facts of an image that are known before it is made. */
export interface ImageFacts {
  promptBytes: number;
  /** Images that go along, a mask included. */
  references: number;
  /** Null when the vendor decides. */
  pixels: number | null;
  quality: string | null;
  /** Unfinished pictures that are shown on the way. */
  partialImages: number;
}

const pixelsPerMega = 1024 * 1024;
/** 3840 x 2160, the most that is made where nothing is said. */
const megaPixelsMost = 8;

/** For each megapixel that is begun. */
const outputTokensByQuality: ReadonlyMap<string, number> = new Map([
  ["low", 272],
  ["medium", 1056],
  ["standard", 1056],
  ["high", 4160],
  ["hd", 4160],
  ["xhigh", 8320],
]);
const outputTokensFinest = 16_640;
/** Words and thoughts beside the picture. */
const textTokens = 4096;
const partialTokens = 100;
const referenceTokens = 8192;
/** The vendor's own words around the prompt. */
const phraseTokens = 128;

/** For one image: a token is at least one byte of the prompt. */
export function boundImageTokens(facts: ImageFacts): ImageTokens {
  const { promptBytes, references, pixels, quality, partialImages } = facts;
  const mega = pixels === null ? megaPixelsMost : Math.ceil(pixels / pixelsPerMega);
  const perMega = outputTokensByQuality.get(quality ?? "") ?? outputTokensFinest;
  return {
    inputTokens: promptBytes + phraseTokens + references * referenceTokens,
    outputTokens: mega * perMega + textTokens + partialImages * partialTokens,
  };
}
