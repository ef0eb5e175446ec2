// The video routes.
import { statusOf } from "./envelopes/status.ts";
import type { KeyRoute } from "./route.ts";
import { readContent } from "./video/content.ts";
import { createUnified, createVideo, envelopeFor } from "./video/create.ts";
import { videoEntries as entries } from "./video/entries.ts";
import { googleVideoRoutes } from "./video/google.ts";
import { nativeVideoRoutes } from "./video-e/routes.ts";
import type { VideoParts } from "./video/parts.ts";
import { listVideos, readEvents, readVideo, removeVideo } from "./video/read.ts";

type Reader = typeof readVideo;

export function videoRoutes(parts: VideoParts): KeyRoute[] {
  const key = { policy: "key", carriers: ["bearer"], envelope: "a" } as const;
  const paid = { ...key, isPaid: true, method: "POST" } as const;
  const free = (row: Pick<KeyRoute, "method" | "path" | "entry">, serve: Reader): KeyRoute => ({
    ...key,
    ...row,
    isPaid: false,
    serve: (incoming, { caller }) => serve(parts, incoming, caller),
  });
  return [
    {
      ...paid,
      path: "/v1/videos",
      entry: entries.create,
      envelopeOf: envelopeFor,
      serve: (incoming, call) => createVideo(parts, { incoming, call }),
    },
    free({ method: "GET", path: "/v1/videos", entry: entries.list }, listVideos),
    free({ method: "GET", path: "/v1/videos/{id}", entry: entries.read }, readVideo),
    free({ method: "GET", path: "/v1/videos/{id}/content", entry: entries.content }, readContent),
    free({ method: "GET", path: "/v1/videos/{id}/events", entry: entries.events }, readEvents),
    free({ method: "DELETE", path: "/v1/videos/{id}", entry: entries.remove }, removeVideo),
    {
      ...paid,
      path: "/v1/video/generations",
      entry: entries.createUnified,
      envelope: "unified",
      envelopeOf: (body, error) => (statusOf(error) === 429 ? null : envelopeFor(body)),
      serve: (incoming, call) => createUnified(parts, { incoming, call }),
    },
    free({ method: "GET", path: "/v1/video/generations/{id}", entry: entries.read }, readVideo),
    ...nativeVideoRoutes(parts),
    ...googleVideoRoutes(parts),
  ];
}
