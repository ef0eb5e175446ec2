// A file that somebody uploads: into the media store, and out again where it cannot be used.
import { GatewayError } from "../core/errors.ts";
import type { Media } from "../media/open-media.ts";
import type { Pieces } from "../media/spool.ts";
import type { AssetKind } from "./asset.ts";
import { judgeMedia } from "./limits.ts";

/** The id of what was kept; a refusal names what is wrong with the file. */
export async function keepUpload(
  store: Pick<Media["store"], "keep" | "remove">,
  kind: AssetKind,
  pieces: Pieces,
): Promise<string> {
  try {
    const kept = await store.keep({ kind: "file", pieces });
    const fault = judgeMedia(kind, { ...kept, kind: kindOf(kept.type) });
    if (!fault) return kept.mediaId;
    await store.remove(kept.mediaId);
    throw refused(fault.message);
  } catch (error) {
    if (error instanceof Error && error.name === "NotMedia") throw refused(error.message);
    throw error;
  }
}

function refused(message: string): GatewayError {
  return new GatewayError("invalid_request", { param: "file", message });
}

const kinds = ["image", "video", "audio"] as const;

function kindOf(type: string): AssetKind {
  return kinds.find((kind) => type.startsWith(`${kind}/`)) ?? "image";
}
