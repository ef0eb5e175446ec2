// The video routes.
import type { Answer } from "../gateway/answer.ts";
import type { Caller } from "../identity/caller.ts";
import { statusOf } from "./envelopes/status.ts";
import type { Incoming, KeyRoute } from "./route.ts";
import { showContent, type VideoContentNeeds } from "./video/content.ts";
import { createUnified, createVideo, envelopeFor, type CreateVideoNeeds } from "./video/create.ts";
import { videoEntries as entries } from "./video/entries.ts";
import { googleVideoRoutes } from "./video/google.ts";
import { nativeVideoRoutes } from "./video-e/routes.ts";
import {
  listVideos,
  streamEvents,
  showVideo,
  removeVideo,
  type ReadVideoNeeds,
} from "./video/read.ts";

export interface VideoRouteNeeds {
  creating: CreateVideoNeeds;
  reading: ReadVideoNeeds;
  content: VideoContentNeeds;
}

type Reader = (incoming: Incoming, caller: Caller) => Promise<Answer>;

export function videoRoutes({ creating, reading, content }: VideoRouteNeeds): KeyRoute[] {
  const key = { policy: "key", carriers: ["bearer"], envelope: "a" } as const;
  const paid = { ...key, isPaid: true, method: "POST" } as const;
  const free = (row: Pick<KeyRoute, "method" | "path" | "entry">, serve: Reader): KeyRoute => ({
    ...key,
    ...row,
    isPaid: false,
    serve: (incoming, { caller }) => serve(incoming, caller),
  });
  return [
    {
      ...paid,
      path: "/v1/videos",
      entry: entries.create,
      envelopeOf: envelopeFor,
      serve: (incoming, call) => createVideo(creating, { incoming, call }),
    },
    free(
      { method: "GET", path: "/v1/videos", entry: entries.list },
      listVideos.bind(null, reading),
    ),
    free(
      { method: "GET", path: "/v1/videos/{id}", entry: entries.read },
      showVideo.bind(null, reading),
    ),
    free(
      { method: "GET", path: "/v1/videos/{id}/content", entry: entries.content },
      showContent.bind(null, content),
    ),
    free(
      { method: "GET", path: "/v1/videos/{id}/events", entry: entries.events },
      streamEvents.bind(null, reading),
    ),
    free(
      { method: "DELETE", path: "/v1/videos/{id}", entry: entries.remove },
      removeVideo.bind(null, reading),
    ),
    {
      ...paid,
      path: "/v1/video/generations",
      entry: entries.createUnified,
      envelope: "unified",
      envelopeOf: (body, error) => (statusOf(error) === 429 ? null : envelopeFor(body)),
      serve: (incoming, call) => createUnified(creating, { incoming, call }),
    },
    free(
      { method: "GET", path: "/v1/video/generations/{id}", entry: entries.read },
      showVideo.bind(null, reading),
    ),
    ...nativeVideoRoutes(creating, reading),
    ...googleVideoRoutes(creating, reading),
  ];
}
