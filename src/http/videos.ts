// The video routes.
import type { Answer } from "../gateway/answer.ts";
import type { Caller } from "../identity/caller.ts";
import { withAzure } from "./aliases/azure.ts";
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

export function videoRoutes({ creating, reading, content }: VideoRouteNeeds): KeyRoute[] {
  const key = { policy: "key", carriers: ["bearer"], envelope: "a" } as const;
  const paid = { ...key, isPaid: true, method: "POST" } as const;
  const free = (
    method: "GET" | "DELETE",
    path: string,
    entry: KeyRoute["entry"],
    run: (incoming: Incoming, caller: Caller) => Promise<Answer>,
  ): KeyRoute => ({
    ...key,
    method,
    path,
    entry,
    isPaid: false,
    serve: (incoming, { caller }) => run(incoming, caller),
  });
  return [
    ...withAzure([
      {
        ...paid,
        path: "/v1/videos",
        entry: entries.create,
        envelopeOf: envelopeFor,
        serve: (incoming, call) => createVideo(creating, { incoming, call }),
      },
      free("GET", "/v1/videos", entries.list, listVideos.bind(null, reading)),
      free("GET", "/v1/videos/{id}", entries.read, showVideo.bind(null, reading)),
      free("GET", "/v1/videos/{id}/content", entries.content, showContent.bind(null, content)),
      free("GET", "/v1/videos/{id}/events", entries.events, streamEvents.bind(null, reading)),
      free("DELETE", "/v1/videos/{id}", entries.remove, removeVideo.bind(null, reading)),
    ]),
    {
      ...paid,
      path: "/v1/video/generations",
      entry: entries.createUnified,
      envelope: "unified",
      envelopeOf: (body, error) => (statusOf(error) === 429 ? null : envelopeFor(body)),
      serve: (incoming, call) => createUnified(creating, { incoming, call }),
    },
    free("GET", "/v1/video/generations/{id}", entries.read, showVideo.bind(null, reading)),
    ...nativeVideoRoutes(creating, reading),
    ...googleVideoRoutes(creating, reading),
  ];
}
