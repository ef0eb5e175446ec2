// The vendor that speaks the midjourney-proxy dialect.
import { isObject } from "../../src/core/json.ts";
import { noFaults } from "../directives.ts";
import { pictureAnswer } from "../picture/links.ts";
import type { Answer, Vendor, VendorRequest, VendorWorld } from "../vendor.ts";
import { jsonAnswer, jsonBodyOf, revokedKey } from "../wire.ts";
import { Refusal, refusalAnswer } from "./errors.ts";
import { isAction } from "./request.ts";
import { submit } from "./submit.ts";
import { drawTask, prefix, showTask, vendor, type Visit } from "./tasks.ts";

const submitPath = /^\/mj\/submit\/([a-z-]+)$/;
const fetchPath = /^\/mj\/task\/([^/]+)\/fetch$/;
const imagePath = /^\/mj\/image\/([^/]+)$/;

export function createMidjourney({ jobs }: VendorWorld): Vendor {
  return {
    prefix,
    answer(request) {
      try {
        const picture = pictureAnswer(request);
        if (picture) return picture;
        const key = keyOf(request);
        return key === null ? emptyAnswer(401) : answerAt({ request, key, jobs });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return refusalAnswer(error);
      }
    },
  };
}

/** Null for one that is not known; the answer to it has no body. */
function keyOf(request: VendorRequest): string | null {
  const key = request.headers.get("mj-api-secret");
  if (key === null || key === "") return null;
  request.note({ bearer: key });
  return key === revokedKey ? null : key;
}

function emptyAnswer(status: number): Answer {
  const content = { kind: "whole", bytes: new Uint8Array() } as const;
  return { status, headers: {}, faults: noFaults, content };
}

function answerAt(visit: Visit): Answer {
  const { method, path } = visit.request;
  const [, action = ""] = submitPath.exec(path) ?? [];
  if (method === "POST" && isAction(action)) return submit(visit, action);
  if (method === "POST" && path === "/mj/task/list-by-condition") return listByIds(visit);
  if (method !== "GET") return emptyAnswer(404);
  if (path === "/mj/task/list") return list(visit);
  const [, id] = fetchPath.exec(path) ?? [];
  if (id !== undefined) return show(visit, id);
  const [, imageId] = imagePath.exec(path) ?? [];
  return (imageId === undefined ? null : drawTask(visit, imageId)) ?? emptyAnswer(404);
}

/** A task that is not known is a success without a body. */
function show(visit: Visit, id: string): Answer {
  const job = visit.jobs.find(vendor, visit.key, decodeURIComponent(id));
  return job ? jsonAnswer(showTask(visit, job)) : emptyAnswer(200);
}

function list(visit: Visit): Answer {
  return jsonAnswer(visit.jobs.list(vendor, visit.key).map((job) => showTask(visit, job)));
}

function listByIds(visit: Visit): Answer {
  const body = jsonBodyOf(visit.request);
  const ids = isObject(body) && Array.isArray(body["ids"]) ? body["ids"] : [];
  const found = ids.flatMap((id) => {
    const job = typeof id === "string" ? visit.jobs.find(vendor, visit.key, id) : null;
    return job ? [showTask(visit, job)] : [];
  });
  return jsonAnswer(found);
}
