// Base64 in pieces: made, cleaned of what vendors put around it, and looked into.
import { readImageSize } from "../../../core/image-size.ts";
import { joinBytes } from "../../../core/sse.ts";
import { NotMedia } from "../../../media/media.ts";
import { mediaKindOf, sniff, type MediaType } from "../../../media/sniff.ts";
import type { Pieces } from "../../../media/spool.ts";
import type { HeldText } from "./held-text.ts";
import { headOfHeld, type HeldTexts } from "./texts.ts";

/** Three bytes are four letters. */
const unit = 3;

export async function* encodeBase64(pieces: Pieces): AsyncIterable<Uint8Array> {
  let rest = new Uint8Array(0);
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : joinBytes([rest, piece]);
    const whole = bytes.length - (bytes.length % unit);
    yield toText(bytes.subarray(0, whole));
    rest = bytes.slice(whole);
  }
  if (rest.length > 0) yield toText(rest);
}

function toText(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return Buffer.from(text, "latin1");
}

const others = /[^A-Za-z0-9+/=_-]/;
const dataUri = /^data:[\w.+-]+\/[\w.+-]+;base64,/i;

/** Without the head of a data URI and without white space; throws NotMedia for any other text. */
export async function* plainBase64(
  { isBase64 }: Pick<HeldText, "isBase64">,
  pieces: Pieces,
): AsyncIterable<Uint8Array> {
  let isFirst = true;
  for await (const piece of pieces) {
    if (isBase64) {
      yield piece;
      continue;
    }
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1");
    const letters = (isFirst ? text.replace(dataUri, "") : text).replace(/\s+/g, "");
    isFirst = false;
    if (others.test(letters)) throw new NotMedia("The text is no base64.");
    yield Buffer.from(letters, "latin1");
  }
}

/** The same of a text that is short. */
export function plainText(text: string): string {
  return text.replace(dataUri, "").replace(/\s+/g, "");
}

/** Enough for what cameras put before the size. */
const headBytes = 1024 * 1024;

/** The kind of picture, by its first bytes; throws NotMedia when it is none. */
export async function inspectBase64(
  base64: string,
  held: HeldTexts,
): Promise<{ type: MediaType; width: number | null; height: number | null }> {
  const text = held.find(base64);
  const head = text
    ? Buffer.from(await headOfHeld(text, headBytes)).toString("latin1")
    : base64.slice(0, headBytes);
  const bytes = Buffer.from(head, "base64");
  const type = sniff(bytes);
  if (!type || mediaKindOf(type) !== "image") throw new NotMedia("The text is no image in base64.");
  const size = readImageSize(type, bytes);
  return { type, width: size?.width ?? null, height: size?.height ?? null };
}
