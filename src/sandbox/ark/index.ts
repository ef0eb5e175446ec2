// The vendor that speaks Ark's wire.
import type { Answer, Vendor, VendorRequest, VendorWorld } from "../vendor.ts";
import { videoAnswer } from "../video-links.ts";
import { bearerOf, revokedKey } from "../wire.ts";
import { Refusal, refusalAnswer } from "./errors.ts";
import { AssetRegistry } from "./registry.ts";
import { createTask, deleteTask, listTasks, prefix, showTask, type Visit } from "./tasks.ts";

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
      const answer = videoAnswer(request) ?? answerOrRefuse(request, jobs);
      return { ...answer, headers: { ...answer.headers, "x-request-id": `ark-${++count}` } };
    },
  };
}

function answerOrRefuse(request: VendorRequest, jobs: Visit["jobs"]): Answer {
  try {
    return answerAt({ request, key: authenticate(request), jobs });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refusalAnswer(error);
  }
}

function answerAt(visit: Visit): Answer {
  const { method, path } = visit.request;
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
