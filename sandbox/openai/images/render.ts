// Images as the OpenAI wire shows them: in one answer, or in events with unfinished ones before.
import type { JsonObject } from "../../../src/core/json.ts";
import { encodeEvent } from "../../../src/core/sse.ts";
import { drawPicture, type PictureAsk } from "../../picture/index.ts";
import { countTokens } from "../../writer/tokens.ts";
import { Refusal } from "../errors.ts";
import type { ImageRequest } from "./request.ts";

/** Tokens of a picture of 1024x1024, by how fine it is. */
const tokensByQuality: Readonly<Record<string, number>> = {
  low: 272,
  medium: 1056,
  high: 4160,
  xhigh: 8320,
  max: 16_640,
};
const pixelsOfThat = 1024 * 1024;
const tokensPerGiven = 323;

interface Drawing {
  asked: ImageRequest;
  /** Two drawings of one prompt differ by it. */
  seed: string;
  createdSeconds: number;
  isCounted: boolean;
}

/** The picture at this place of the answer, or a draft of it. */
function pictureAt({ asked, seed }: Drawing, index: number, draft = ""): PictureAsk {
  const { size, format, prompt } = asked;
  return { ...size, format, seed: `${prompt} ${seed} ${index} ${draft}` };
}

function base64Of(picture: PictureAsk): string {
  return Buffer.from(drawPicture(picture)).toString("base64");
}

/** The maker shows pictures by their bytes alone; a reseller may show links. */
export function renderImages(
  drawing: Drawing,
  show: (picture: PictureAsk) => JsonObject = (picture) => ({ b64_json: base64Of(picture) }),
): JsonObject {
  const { asked, createdSeconds } = drawing;
  return {
    created: createdSeconds,
    ...looksOf(asked),
    data: placesOf(asked).map((index) => show(pictureAt(drawing, index))),
    ...usageOf(drawing, asked.count),
  };
}

export function renderEvents(drawing: Drawing, errorAfter: number | null): Uint8Array[] {
  const { asked } = drawing;
  const events = placesOf(asked).flatMap((index) => [
    ...Array.from({ length: asked.partialImages }, (_, partial) =>
      partialEvent(drawing, [index, partial]),
    ),
    completedEvent(drawing, index),
  ]);
  if (errorAfter === null) return events;
  const { message, type, param, code } = new Refusal(500);
  const error = { type: "error", error: { message, type, param, code } };
  return [...events.slice(0, errorAfter), encodeEvent(JSON.stringify(error), "error")];
}

function partialEvent(drawing: Drawing, [index, partial]: [number, number]): Uint8Array {
  const type = `image_${drawing.asked.kind}.partial_image`;
  const picture = base64Of(pictureAt(drawing, index, `draft ${partial}`));
  return eventOf(drawing, type, { b64_json: picture, partial_image_index: partial });
}

/** Each picture of a stream has its own part of the usage. */
function completedEvent(drawing: Drawing, index: number): Uint8Array {
  const type = `image_${drawing.asked.kind}.completed`;
  const usage = usageOf(drawing, 1);
  return eventOf(drawing, type, { b64_json: base64Of(pictureAt(drawing, index)), ...usage });
}

function eventOf({ asked, createdSeconds }: Drawing, type: string, more: JsonObject): Uint8Array {
  const data = { type, created_at: createdSeconds, ...looksOf(asked), ...more };
  return encodeEvent(JSON.stringify(data), type);
}

function looksOf({ size, quality, background, format }: ImageRequest): JsonObject {
  const { width, height } = size;
  return { background, output_format: format, quality, size: `${width}x${height}` };
}

function usageOf({ asked, isCounted }: Drawing, count: number): JsonObject {
  if (!isCounted) return {};
  const { prompt, given, size, quality, partialImages } = asked;
  const text = countTokens(prompt);
  const image = given * tokensPerGiven;
  const share = (size.width * size.height) / pixelsOfThat;
  // Each unfinished picture costs a little more.
  const each = Math.ceil((tokensByQuality[quality] ?? 0) * share) + partialImages * 100;
  const output = count * each;
  return {
    usage: {
      input_tokens: text + image,
      input_tokens_details: { text_tokens: text, image_tokens: image },
      output_tokens: output,
      output_tokens_details: { image_tokens: output, text_tokens: 0 },
      total_tokens: text + image + output,
    },
  };
}

function placesOf({ count }: ImageRequest): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
