// Things a vendor has of a finished video besides the video: fetched from it each time and not
// kept. A large one is handed on as it comes, so that many at once take no more memory than a few.
import { GatewayError } from "../../core/errors.ts";
import { FetchFailed, type Fetched } from "../../media/fetch.ts";
import type { OpenMedia } from "../../media/media.ts";
import { mediaKindOf, sniff, type MediaType } from "../../media/sniff.ts";
import type { Task } from "../../tasks/task.ts";
import type { VideoVariant } from "../../upstreams/upstream.ts";
import { PiecesSource } from "../stream/pieces-source.ts";
import { fetchRulesOf } from "../target.ts";
import { findTaskPlace, videoWay, type VendorNeeds } from "../task/vendor-call.ts";
import type { ReferenceNeeds } from "./needed-bytes.ts";

export interface VariantNeeds {
  vendors: VendorNeeds;
  references: ReferenceNeeds;
}

type OpenVariant =
  { kind: "whole"; media: OpenMedia } | { kind: "pieces"; type: MediaType; source: PiecesSource };

const bytesMax = 30 * 1024 * 1024;
/** A variant no larger than this is in memory as a whole. */
const wholeBytesMax = 1024 * 1024;

/** Throws the 400 that names the variant where there is none. */
export async function openVariant(
  { vendors, references }: VariantNeeds,
  task: Task,
  variant: VideoVariant,
): Promise<OpenVariant> {
  const { id, operation, upstreamModel } = task;
  const place = await findTaskPlace(vendors, task);
  const way = place && videoWay(vendors, place, { taskId: id, model: upstreamModel });
  if (!place || !way?.facet.variant || operation === null) throw noVariant(variant);
  const { url, headers, pass } = way.facet.variant(operation, variant, way.call);
  const rules = fetchRulesOf(place);
  const timeoutMs = vendors.vendorCallMs;
  const fetched = await reach(references, url, { headers, pass, ...rules, bytesMax, timeoutMs });
  const first = fetched && (await readFirst(fetched));
  const type = first && sniff(first.bytes);
  // Some vendors do not know the word and send the video all the same.
  if (!fetched || !first || !type || mediaKindOf(type) !== "image") {
    fetched?.close();
    throw noVariant(variant);
  }
  if (first.isWhole)
    return { kind: "whole", media: toMedia(`${id}-${variant}`, type, first.bytes) };
  const ended = async () => fetched.close();
  const pieces = follow(first.bytes, fetched);
  return { kind: "pieces", type, source: new PiecesSource(pieces, { ended, isCutShort: true }) };
}

function toMedia(id: string, type: MediaType, bytes: Buffer<ArrayBuffer>): OpenMedia {
  const blob = new Blob([bytes]);
  return { id, type, bytes: blob.size, part: (start, end) => blob.slice(start, end) };
}

type Ask = Parameters<ReferenceNeeds["fetch"]["open"]>[1];

/** Null when the vendor has nothing there. */
async function reach({ fetch }: ReferenceNeeds, url: string, ask: Ask): Promise<Fetched | null> {
  try {
    return await fetch.open(url, ask);
  } catch (error) {
    const status = error instanceof FetchFailed ? error.status : null;
    if (status !== null && status >= 400 && status < 500 && status !== 429) return null;
    throw new GatewayError("do_request_failed", { cause: error });
  }
}

interface FirstBytes {
  bytes: Buffer<ArrayBuffer>;
  /** There is nothing behind them; it was closed. */
  isWhole: boolean;
}

async function readFirst(fetched: Fetched): Promise<FirstBytes> {
  const pieces: Uint8Array[] = [];
  try {
    for (let left = wholeBytesMax; left >= 0;) {
      const piece = await fetched.read();
      if (!piece) {
        fetched.close();
        return { bytes: Buffer.concat(pieces), isWhole: true };
      }
      pieces.push(piece);
      left -= piece.length;
    }
  } catch (error) {
    throw new GatewayError("do_request_failed", { cause: error });
  }
  return { bytes: Buffer.concat(pieces), isWhole: false };
}

async function* follow(first: Uint8Array, fetched: Fetched): AsyncIterable<Uint8Array> {
  yield first;
  for (let piece = await fetched.read(); piece; piece = await fetched.read()) yield piece;
}

function noVariant(variant: string): GatewayError {
  const message = `variant: the upstream of this video has no ${variant} of it`;
  return new GatewayError("invalid_request", { param: "variant", message });
}
