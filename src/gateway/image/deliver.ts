// A picture as the client wants it: kept in our storage under a link, or as base64, which goes from
// the vendor to the client without being decoded.
import { GatewayError } from "../../core/errors.ts";
import { piecesOf, type FetchRules, type GuardedFetch } from "../../media/fetch.ts";
import { NotMedia, type KeptMedia, type KeptSource, type MediaStore } from "../../media/media.ts";
import { mediaKindOf, type MediaType } from "../../media/sniff.ts";
import type { MadeImage } from "../../upstreams/upstream.ts";
import { encodeBase64, inspectBase64, plainBase64, plainText } from "./held/base64.ts";
import { piecesOfHeld, type HeldTexts } from "./held/texts.ts";

/** Both, for clients that did not say and may read either. */
export type Delivery = "url" | "b64_json" | "both";

export interface DeliverNeeds {
  media: MediaStore;
  fetch: Pick<GuardedFetch, "open">;
  fetchTimeoutMs: number;
  fileBytesMax: number;
}

export interface DeliverRules {
  held: HeldTexts;
  fetching: FetchRules;
}

export interface DeliveredImage {
  /** Null when it was not kept. */
  mediaId: string | null;
  /** The text itself, or the word that a held text is known by; null when it was not asked for. */
  base64: string | null;
  type: MediaType;
  width: number | null;
  height: number | null;
}

/** Throws FetchFailed or NotMedia when the vendor's result is no picture. */
export async function deliverImage(
  needs: DeliverNeeds,
  image: MadeImage,
  delivery: Delivery,
  rules: DeliverRules,
): Promise<DeliveredImage> {
  const kept = delivery === "b64_json" ? null : await keepImage(needs, image, rules);
  if (delivery === "url" && kept) return { ...kept, base64: null };
  const base64 = await toBase64(needs, image, kept, rules);
  const seen = kept ?? (await inspectBase64(base64, rules.held));
  const { type, width, height } = seen;
  return { mediaId: kept?.mediaId ?? null, base64, type, width, height };
}

/** Copies a vendor's picture to where it stays. */
export async function keepImage(
  { media }: Pick<DeliverNeeds, "media">,
  { source }: Pick<MadeImage, "source">,
  { held, fetching }: DeliverRules,
): Promise<KeptMedia> {
  const kept = await media.keep(toMediaSource(source, held), fetching);
  if (mediaKindOf(kept.type) === "image") return kept;
  await media.remove(kept.mediaId);
  throw new NotMedia("The file is no image.");
}

function toMediaSource(source: MadeImage["source"], held: HeldTexts): KeptSource {
  if (source.kind === "url") return source;
  const text = held.find(source.base64);
  if (!text) return { kind: "bytes", base64: plainText(source.base64) };
  return { kind: "pieces", base64: plainBase64(text, piecesOfHeld(text)) };
}

async function toBase64(
  needs: DeliverNeeds,
  { source }: MadeImage,
  kept: KeptMedia | null,
  { held, fetching }: DeliverRules,
): Promise<string> {
  if (source.kind === "bytes") {
    const text = held.find(source.base64);
    if (!text) return plainText(source.base64);
    if (text.isBase64) return source.base64;
    return await held.hold(plainBase64(text, piecesOfHeld(text)));
  }
  if (kept) return await deliverKept(needs.media, kept.mediaId, held);
  const { fileBytesMax: bytesMax, fetchTimeoutMs: timeoutMs } = needs;
  const { url, headers, pass } = source;
  const ask = { headers, pass, ...fetching, bytesMax, timeoutMs };
  const fetched = await needs.fetch.open(url, ask);
  try {
    return await held.hold(encodeBase64(piecesOf(fetched)));
  } finally {
    fetched.close();
  }
}

/** A picture that is kept, as base64; throws when it is not kept any more. */
export async function deliverKept(
  media: MediaStore,
  mediaId: string,
  held: HeldTexts,
): Promise<string> {
  const file = await media.open(mediaId);
  if (!file) {
    throw new GatewayError("not_found", { message: "The image is not kept any more." });
  }
  const part = file.part(0, file.bytes);
  return await held.hold(encodeBase64(part instanceof Blob ? part.stream() : part));
}
