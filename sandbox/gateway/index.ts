// A reseller of videos and images with the gateway's own API: it takes every family's body as it
// is, also where the makers' wires have no words for it.
import { pictureAnswer } from "../picture/links.ts";
import type { Answer, Vendor, VendorRequest, VendorWorld } from "../vendor.ts";
import { bearerOf, type ImageVisit, revokedKey } from "../wire.ts";
import { Refusal, refusalAnswer } from "./errors.ts";
import { createImages, prefix } from "./images/create.ts";
import {
  cancelVideo,
  createVideo,
  listVideos,
  readContent,
  showVideo,
  type Visit,
} from "./videos.ts";

const imageRoute = /^\/v1\/images\/(generation|edit)s$/;
const route = /^\/v1\/videos(?:\/([\w-]+)(\/content)?)?$/;

type AnyVisit = Visit & ImageVisit;

export function createGateway({ jobs, clock }: VendorWorld): Vendor {
  let count = 0;
  return {
    prefix,
    answer(request) {
      const picture = pictureAnswer(request);
      if (picture) return picture;
      const made = { jobs, serial: String(++count), nowMs: clock.nowMs() };
      try {
        return answerAt({ ...made, request, key: authenticate(request) });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return refusalAnswer(error);
      }
    },
  };
}

function answerAt(visit: AnyVisit): Answer {
  const { method, path } = visit.request;
  const [, kind] = imageRoute.exec(path) ?? [];
  if (kind !== undefined) {
    if (method !== "POST") throw new Refusal(405);
    return createImages(visit, kind === "edit" ? "edit" : "generation");
  }
  const found = route.exec(path);
  if (!found) throw new Refusal(404);
  const [, id, content] = found;
  if (id === undefined && method === "POST") return createVideo(visit);
  if (id === undefined && method === "GET") return listVideos(visit);
  if (id === undefined) throw new Refusal(405);
  if (method === "GET") return content ? readContent(visit, id) : showVideo(visit, id);
  if (method === "DELETE" && !content) return cancelVideo(visit, id);
  throw new Refusal(405);
}

function authenticate(request: VendorRequest): string {
  const key = bearerOf(request);
  if (key === null) throw new Refusal(401);
  request.note({ bearer: key });
  if (key === revokedKey) throw new Refusal(401);
  return key;
}
