// The image routes whose answer is the images.
import type { ReferenceEntry } from "../core/reference-entry.ts";
import type { ImageNeeds } from "../gateway/image/image-work.ts";
import { serveImage } from "../gateway/image/serve-image.ts";
import { withAzure } from "./aliases/azure.ts";
import { imageEntries as entries } from "./image/entries.ts";
import { serveOnce, type OnceNeeds } from "./image/once.ts";
import { isForm } from "./multipart.ts";
import type { KeyRoute } from "./route.ts";

export interface ImageRouteNeeds {
  serving: ImageNeeds;
  once: OnceNeeds;
  bodyBytesMax: number;
}

export function imageRoutes({ serving, once, bodyBytesMax }: ImageRouteNeeds): KeyRoute[] {
  const route = (path: string, kind: "generate" | "edit", entry: ReferenceEntry): KeyRoute => ({
    policy: "key",
    carriers: ["bearer"],
    envelope: "a",
    isPaid: true,
    method: "POST",
    path,
    entry,
    async serve(incoming, call) {
      const { headers, address } = incoming;
      if (headers.has("idempotency-key")) return await serveOnce(once, { kind, incoming, call });
      const { value: body } = await incoming.jsonOrForm(bodyBytesMax);
      return await serveImage(serving, { call, kind, isForm: isForm(headers), body, address });
    },
  });
  return [
    ...withAzure([
      route("/v1/images/generations", "generate", entries.generate),
      route("/v1/images/edits", "edit", entries.edit),
    ]),
    route("/v1/edits", "edit", entries.editOlder),
  ];
}
