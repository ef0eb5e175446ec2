// A reseller of videos with the gateway's own API: it takes every family's body as it is, also
// where the makers' wires have no words for it.
import type { Answer, Vendor, VendorRequest, VendorWorld } from "../vendor.ts";
import { bearerOf, revokedKey } from "../wire.ts";
import { Refusal, refusalAnswer } from "./errors.ts";
import { cancelVideo, createVideo, readContent, showVideo, type Visit } from "./videos.ts";

const prefix = "/gateway";
const route = /^\/v1\/videos(?:\/([\w-]+)(\/content)?)?$/;

export function createGateway({ jobs }: VendorWorld): Vendor {
  return {
    prefix,
    answer(request) {
      try {
        return answerAt({ request, key: authenticate(request), jobs });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return refusalAnswer(error);
      }
    },
  };
}

function answerAt(visit: Visit): Answer {
  const { method, path } = visit.request;
  const found = route.exec(path);
  if (!found) throw new Refusal(404);
  const [, id, content] = found;
  if (id === undefined && method === "POST") return createVideo(visit);
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
