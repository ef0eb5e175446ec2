// The video routes.
import type { Answer } from "../gateway/answer.ts";
import type { Caller } from "../identity/caller.ts";
import type { Incoming, KeyRoute } from "./route.ts";
import { showContent, type VideoContentNeeds } from "./video/content.ts";
import { createUnified, createVideo, envelopeFor, type CreateVideoNeeds } from "./video/create.ts";
import { googleVideoRoutes } from "./video/google.ts";
import { nativeVideoRoutes } from "./video/native.ts";
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
  const free = (method: "GET" | "DELETE", path: string, serve: Reader): KeyRoute => ({
    ...key,
    isPaid: false,
    method,
    path,
    serve: (incoming, { caller }) => serve(incoming, caller),
  });
  return [
    {
      ...paid,
      path: "/v1/videos",
      envelopeOf: envelopeFor,
      serve: (incoming, call) => createVideo(creating, { incoming, call }),
    },
    free("GET", "/v1/videos", listVideos.bind(null, reading)),
    free("GET", "/v1/videos/{id}", showVideo.bind(null, reading)),
    free("GET", "/v1/videos/{id}/content", showContent.bind(null, content)),
    free("GET", "/v1/videos/{id}/events", streamEvents.bind(null, reading)),
    free("DELETE", "/v1/videos/{id}", removeVideo.bind(null, reading)),
    {
      ...paid,
      path: "/v1/video/generations",
      envelope: "unified",
      envelopeOf: (body, error) => (error.status === 429 ? null : envelopeFor(body)),
      serve: (incoming, call) => createUnified(creating, { incoming, call }),
    },
    free("GET", "/v1/video/generations/{id}", showVideo.bind(null, reading)),
    ...nativeVideoRoutes(creating, reading),
    ...googleVideoRoutes(creating, reading),
  ];
}
