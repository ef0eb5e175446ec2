// Kept media over HTTP: whole or in part, for whoever holds a link that has not expired.
import { GatewayError, invalid } from "../core/errors.ts";
import type { ReferenceEntry } from "../core/reference-entry.ts";
import { text, whole } from "../core/schema-words.ts";
import type { Answer } from "../gateway/answer.ts";
import { PiecesSource } from "../gateway/stream/pieces-source.ts";
import type { MediaLinks } from "../media/links.ts";
import type { MediaStore, OpenMedia } from "../media/media.ts";
import { scaledWidths, type Scaler } from "../media/scale.ts";
import type { Incoming, PublicRoute } from "./route.ts";

interface MediaRouteNeeds {
  scaler: Scaler;
  store: MediaStore;
  links: MediaLinks;
}

const entry: ReferenceEntry = {
  tag: "Assets",
  summary: "Open a result by its signed link",
  query: {
    expires: { schema: whole("Unix seconds."), isRequired: true },
    signature: { schema: text(), isRequired: true },
    width: {
      schema: whole(),
      description: `A picture made smaller, as WebP, this wide: ${scaledWidths.join(", ")}.`,
    },
  },
  answer: { type: "application/octet-stream", description: "The file, in its own type." },
};

export function mediaRoutes(needs: MediaRouteNeeds): PublicRoute[] {
  return [
    {
      method: "GET",
      path: "/media/{id}",
      policy: "public",
      envelope: "a",
      entry,
      serve: (incoming) => serve(needs, incoming),
    },
  ];
}

async function serve(
  { store, links, scaler }: MediaRouteNeeds,
  incoming: Incoming,
): Promise<Answer> {
  const { params, query, headers } = incoming;
  const id = params["id"] ?? "";
  const [expires, signature] = [query.get("expires") ?? "", query.get("signature") ?? ""];
  const secondsLeft = links.secondsLeft(id, expires, signature);
  if (secondsLeft === null) {
    const message = "This link is not valid, or not any more.";
    throw new GatewayError("permission_denied", { message });
  }
  const media = await store.open(id);
  if (!media) throw new GatewayError("not_found");
  const cacheControl = `private, max-age=${secondsLeft}, immutable`;
  const width = readWidth(query);
  if (width === null) return mediaAnswer(media, headers, cacheControl);
  const scaled = await scaler.scale(media, width);
  if (!scaled) {
    throw new GatewayError("not_found", { message: "There is no smaller picture of this file." });
  }
  const { type: contentType, bytes: body } = scaled;
  const shown = { ...mediaHeaders, "cache-control": cacheControl };
  return { status: 200, contentType, headers: shown, body };
}

function readWidth(query: URLSearchParams): number | null {
  const text = query.get("width");
  if (text === null) return null;
  const width = scaledWidths.find((known) => String(known) === text);
  if (width === undefined) throw invalid("width", `must be one of ${scaledWidths.join(", ")}`);
  return width;
}

/** A browser that opens a link makes a page around it: it has styles, and a video loads again. */
const contentPolicy = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/** Headers of every file that is shown. */
export const mediaHeaders = {
  "cache-control": "private, no-cache",
  "content-disposition": "inline",
  "content-security-policy": contentPolicy,
  // Only a request that names its origin is told that it may read: another's answer is not for it.
  vary: "origin",
  "x-content-type-options": "nosniff",
};

/** The media, or the range of it that was asked for. */
export function mediaAnswer(
  media: OpenMedia,
  headers: Headers,
  cacheControl: string = mediaHeaders["cache-control"],
): Answer {
  const { id, type, bytes } = media;
  const etag = `"${id}"`;
  const own = { "accept-ranges": "bytes", "cache-control": cacheControl, etag };
  const shown = { ...mediaHeaders, ...own };
  if (headers.get("if-none-match") === etag) {
    return { status: 304, contentType: type, headers: shown, body: "" };
  }
  const condition = headers.get("if-range");
  const wanted = condition === null || condition === etag ? headers.get("range") : null;
  const range = readRange(wanted, bytes);
  if (range === "none") {
    const unmet = { ...shown, "content-range": `bytes */${bytes}` };
    return { status: 416, contentType: type, headers: unmet, body: "" };
  }
  const { start, end } = range ?? { start: 0, end: bytes };
  const content = media.part(start, end);
  const part = range && { "content-range": `bytes ${start}-${end - 1}/${bytes}` };
  return {
    status: range ? 206 : 200,
    contentType: type,
    headers: { ...shown, ...part },
    body: content instanceof Blob ? content : new PiecesSource(content, { isCutShort: true }),
    bytes: end - start,
  };
}

interface ByteRange {
  start: number;
  /** Exclusive. */
  end: number;
}

/** Null for the whole, which also answers forms that need not be known; "none" for beyond it. */
function readRange(text: string | null, bytes: number): ByteRange | "none" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(text ?? "") ?? [];
  if (first === "" && last === "") return null;
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes : Math.min(bytes, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < Number(first)) return null;
  return start < end ? { start, end } : "none";
}
