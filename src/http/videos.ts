// The video routes.
import { statusOf } from "./envelopes/status.ts";
import type { KeyRoute } from "./route.ts";
import { readContent } from "./video/content.ts";
import { createUnified, createVideo, envelopeFor } from "./video/create.ts";
import { googleVideoRoutes } from "./video/google.ts";
import { nativeVideoRoutes } from "./video-e/routes.ts";
import type { VideoParts } from "./video/parts.ts";
import { listVideos, readEvents, readVideo, removeVideo } from "./video/read.ts";

type Reader = typeof readVideo;

export function videoRoutes(parts: VideoParts): KeyRoute[] {
  const key = { policy: "key", carriers: ["bearer"], envelope: "a" } as const;
  const paid = { ...key, isPaid: true, method: "POST" } as const;
  const free = (method: "GET" | "DELETE", path: string, serve: Reader): KeyRoute => ({
    ...key,
    isPaid: false,
    method,
    path,
    serve: (incoming, { caller }) => serve(parts, incoming, caller),
  });
  return [
    {
      ...paid,
      path: "/v1/videos",
      envelopeOf: envelopeFor,
      serve: (incoming, call) => createVideo(parts, { incoming, call }),
    },
    free("GET", "/v1/videos", listVideos),
    free("GET", "/v1/videos/{id}", readVideo),
    free("GET", "/v1/videos/{id}/content", readContent),
    free("GET", "/v1/videos/{id}/events", readEvents),
    free("DELETE", "/v1/videos/{id}", removeVideo),
    {
      ...paid,
      path: "/v1/video/generations",
      envelope: "unified",
      envelopeOf: (body, error) => (statusOf(error) === 429 ? null : envelopeFor(body)),
      serve: (incoming, call) => createUnified(parts, { incoming, call }),
    },
    free("GET", "/v1/video/generations/{id}", readVideo),
    ...nativeVideoRoutes(parts),
    ...googleVideoRoutes(parts),
  ];
}
