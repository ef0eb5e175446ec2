// The vendor that speaks Ark's wire.
import { pictureAnswer } from "../picture/links.ts";
import type { Answer, Vendor, VendorRequest, VendorWorld } from "../vendor.ts";
import { videoAnswer } from "../video-links.ts";
import { bearerOf, type ImageVisit, revokedKey } from "../wire.ts";
import { Refusal, refusalAnswer } from "./errors.ts";
import { createImages } from "./images/create.ts";
import { AssetRegistry } from "./registry.ts";
import { createTask, deleteTask, listTasks, prefix, showTask, type Visit } from "./tasks.ts";

const imagesPath = "/api/v3/images/generations";
const route = /^\/api\/v3\/contents\/generations\/tasks(?:\/([\w-]+))?$/;

/** The control plane has a host of its own; here it has a folder. */
const registryPath = "/registry/";

export function createArk({ clock, jobs }: VendorWorld): Vendor {
  const registry = new AssetRegistry(clock, prefix);
  let count = 0;
  return {
    prefix,
    answer(request) {
      if (request.path === registryPath) return registry.answer(request);
      const serial = `ark-${++count}`;
      const made = { jobs, serial, nowMs: clock.nowMs() };
      const answer =
        videoAnswer(request) ?? pictureAnswer(request) ?? answerOrRefuse(request, made);
      return { ...answer, headers: { ...answer.headers, "x-request-id": serial } };
    },
  };
}

type AnyVisit = Visit & ImageVisit;

function answerOrRefuse(request: VendorRequest, origin: Omit<AnyVisit, "request" | "key">): Answer {
  try {
    return answerAt({ ...origin, request, key: authenticate(request) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refusalAnswer(error);
  }
}

function answerAt(visit: AnyVisit): Answer {
  const { method, path } = visit.request;
  if (path === imagesPath && method === "POST") return createImages(visit);
  const found = route.exec(path);
  if (!found) throw new Refusal(404);
  const [, id] = found;
  if (id === undefined) {
    if (method === "POST") return createTask(visit);
    if (method === "GET") return listTasks(visit);
  } else {
    if (method === "GET") return showTask(visit, id);
    if (method === "DELETE") return deleteTask(visit, id);
  }
  throw new Refusal(405);
}

function authenticate(request: VendorRequest): string {
  const key = bearerOf(request);
  if (key === null) throw new Refusal(401);
  request.note({ bearer: key });
  if (key === revokedKey) throw new Refusal(401);
  return key;
}
