// The vendor that speaks Kling's wire.
import { readFaults } from "../directives.ts";
import { type Job, readJobPlan } from "../jobs.ts";
import type { Answer, Vendor, VendorRequest, VendorWorld } from "../vendor.ts";
import { shapeOf, videoAnswer, videoLink } from "../video-links.ts";
import { jsonAnswer, jsonBodyOf } from "../wire.ts";
import { authenticate } from "./access.ts";
import { Refusal, refusalAnswer } from "./errors.ts";
import { type Ask, type Kind, kinds, readAsk } from "./request.ts";

const vendor = "kling";
const prefix = "/kling";
const route = /^\/v1\/videos\/([a-z0-9-]+)(?:\/([^/]+))?$/;
const shortSides = { std: 720, pro: 1080 };

/** One request, and what is known about it. */
interface Visit {
  request: VendorRequest;
  requestId: string;
  key: string;
  kind: Kind;
}

export function createKling(world: VendorWorld): Vendor {
  let count = 0;
  return {
    prefix,
    answer(request) {
      const requestId = `kling-request-${++count}`;
      try {
        return videoAnswer(request) ?? answerAt(request, requestId, world);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return refusalAnswer(error, requestId);
      }
    },
  };
}

function answerAt(request: VendorRequest, requestId: string, world: VendorWorld): Answer {
  const [, name, id] = route.exec(request.path) ?? [];
  const kind = kinds.find((one) => one === name);
  const key = authenticate(request, Math.floor(world.clock.nowMs() / 1000));
  if (kind === undefined) throw new Refusal(404);
  const visit: Visit = { request, requestId, key, kind };
  if (request.method === "POST" && id === undefined) return create(visit, world);
  if (request.method !== "GET") throw new Refusal(405, { code: 1202, message: "Wrong method" });
  return id === undefined ? list(visit, world) : show(visit, world, decodeURIComponent(id));
}

function create(visit: Visit, world: VendorWorld): Answer {
  const { request, requestId, key, kind } = visit;
  const ask = readAsk(kind, jsonBodyOf(request));
  const { model_name: model = "kling-v1", prompt = "", external_task_id: reference = null } = ask;
  request.note({ model });
  const faults = readFaults(prompt, key);
  if (faults.status !== null) return refusalAnswer(new Refusal(faults.status), requestId, faults);
  if (faults.filter) throw new Refusal(400, { code: 1301, message: "Risk control was not passed" });
  const isTaken = world.jobs.list(vendor, key).some((job) => job.reference === reference);
  if (reference !== null && isTaken) {
    throw new Refusal(400, { message: "external_task_id must be unique" });
  }
  const job = world.jobs.add({
    vendor,
    key,
    model,
    reference,
    prompt,
    plan: readJobPlan(prompt, key),
    video: { ...sizeOf(ask), seconds: Number(ask.duration ?? 5) },
    details: { kind },
    id: (serial) => serial,
  });
  return jsonAnswer(envelope(visit, render(job, visit, world)), { faults });
}

function show(visit: Visit, world: VendorWorld, id: string): Answer {
  const job = jobsOf(visit, world).find((one) => one.id === id || one.reference === id);
  if (!job) throw new Refusal(404);
  return jsonAnswer(envelope(visit, render(job, visit, world)));
}

function list(visit: Visit, world: VendorWorld): Answer {
  const { query } = visit.request;
  const page = Number(query.get("pageNum") ?? 1);
  const size = Number(query.get("pageSize") ?? 30);
  const isValid = Number.isInteger(page) && page >= 1 && Number.isInteger(size) && size >= 1;
  if (!isValid || page > 1000 || size > 500) throw new Refusal(400);
  const jobs = jobsOf(visit, world).slice((page - 1) * size, page * size);
  const data = jobs.map((job) => render(job, visit, world));
  return jsonAnswer(envelope(visit, data));
}

/** A job is known only at the address where it was made. */
function jobsOf({ key, kind }: Visit, { jobs }: VendorWorld): Job[] {
  return jobs.list(vendor, key).filter(({ details }) => details["kind"] === kind);
}

function envelope({ requestId }: Visit, data: object): object {
  return { code: 0, message: "SUCCEED", request_id: requestId, data };
}

const statuses = {
  queued: "submitted",
  running: "processing",
  succeeded: "succeed",
  failed: "failed",
  filtered: "failed",
  cancelled: "failed",
} as const;

function render(job: Job, { request }: Visit, { jobs }: VendorWorld): object {
  const { state, endedMs } = jobs.stand(job);
  const video = { id: `${job.id}-1`, url: videoLink(request, prefix, job.video) };
  const videos = [{ ...video, duration: job.video.seconds.toFixed(1) }];
  return {
    task_id: job.id,
    task_status: statuses[state],
    ...(state === "failed" ? { task_status_msg: "The video could not be generated" } : {}),
    task_info: job.reference === null ? {} : { external_task_id: job.reference },
    ...(state === "succeeded" ? { task_result: { videos } } : {}),
    created_at: job.createdMs,
    updated_at: endedMs ?? job.createdMs,
  };
}

function sizeOf(ask: Ask): { width: number; height: number } {
  const ratio = "aspect_ratio" in ask ? ask.aspect_ratio : undefined;
  return shapeOf(shortSides[ask.mode ?? "std"], ratio ?? "16:9");
}
