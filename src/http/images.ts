// The image routes whose answer is the images.
import type { ReferenceEntry } from "../core/reference-entry.ts";
import type { ImageParts } from "../gateway/image/image-work.ts";
import { serveImage } from "../gateway/image/serve-image.ts";
import { imageEntries as entries } from "./image/entries.ts";
import { isOnce, serveOnce, type OnceParts } from "./image/once.ts";
import { isForm } from "./multipart.ts";
import type { KeyRoute } from "./route.ts";

export interface ImageRouteParts extends ImageParts, OnceParts {}

export function imageRoutes(parts: ImageRouteParts): KeyRoute[] {
  const route = (path: string, kind: "generate" | "edit", entry: ReferenceEntry): KeyRoute => ({
    policy: "key",
    carriers: ["bearer"],
    envelope: "a",
    isPaid: true,
    method: "POST",
    path,
    entry,
    async serve(incoming, call) {
      if (isOnce(incoming)) return await serveOnce(parts, kind, { incoming, call });
      const { value: body } = await incoming.jsonOrForm(parts.bodyBytesMax);
      const { scope, headers } = incoming;
      const asked = { kind, isForm: isForm(headers), body };
      return await serveImage(parts, { ...asked, ...call, scope });
    },
  });
  return [
    route("/v1/images/generations", "generate", entries.generate),
    route("/v1/images/edits", "edit", entries.edit),
    route("/v1/edits", "edit", entries.editOlder),
  ];
}
