// What a vendor has of a finished video besides the video: fetched from it each time, and not kept.
import { GatewayError } from "../../core/errors.ts";
import { FetchFailed, piecesOf } from "../../media/fetch.ts";
import type { OpenMedia } from "../../media/media.ts";
import { mediaKindOf, sniff } from "../../media/sniff.ts";
import type { Task } from "../../tasks/task.ts";
import type { VideoVariant } from "../../upstreams/upstream.ts";
import { findPlace, videoWay, type VendorNeeds } from "../task/vendor-call.ts";
import type { ReferenceNeeds } from "./needed-bytes.ts";

export interface VariantNeeds {
  vendors: VendorNeeds;
  references: ReferenceNeeds;
}

const bytesMax = 30 * 1024 * 1024;

/** Throws the 400 that names the variant where there is none. */
export async function openVariant(
  { vendors, references }: VariantNeeds,
  task: Task,
  variant: VideoVariant,
): Promise<OpenMedia> {
  const { id, operation, upstreamModel } = task;
  const place = await findPlace(vendors, task);
  const way = place && videoWay(vendors, place, { taskId: id, model: upstreamModel });
  if (!place || !way?.facet.variant || operation === null) throw noVariant(variant);
  const { url, headers } = way.facet.variant(operation, variant, way.call);
  const { allowPrivate } = place.settings;
  const timeoutMs = vendors.vendorCallMs;
  const bytes = await fetchAll(references, url, { headers, allowPrivate, bytesMax, timeoutMs });
  const type = bytes && sniff(bytes);
  // Some vendors do not know the word and send the video all the same.
  if (!type || mediaKindOf(type) !== "image") throw noVariant(variant);
  const blob = new Blob([bytes]);
  return {
    id: `${id}-${variant}`,
    type,
    bytes: blob.size,
    part: (start, end) => blob.slice(start, end),
  };
}

type Ask = Parameters<ReferenceNeeds["fetch"]["open"]>[1];

/** Null when the vendor has nothing there. */
async function fetchAll(
  { fetch }: ReferenceNeeds,
  url: string,
  ask: Ask,
): Promise<Buffer<ArrayBuffer> | null> {
  try {
    const fetched = await fetch.open(url, ask);
    try {
      return Buffer.concat(await Array.fromAsync(piecesOf(fetched)));
    } finally {
      fetched.close();
    }
  } catch (error) {
    const status = error instanceof FetchFailed ? error.status : null;
    if (status !== null && status >= 400 && status < 500 && status !== 429) return null;
    throw new GatewayError("do_request_failed", { cause: error });
  }
}

function noVariant(variant: string): GatewayError {
  const message = `variant: the upstream of this video has no ${variant} of it`;
  return new GatewayError("invalid_request", { param: "variant", message });
}
