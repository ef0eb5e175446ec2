// The vendor that speaks MiniMax's wire, second version.
import { promptOf } from "../content-list.ts";
import { readFaults } from "../directives.ts";
import { type Job, type JobBook, readJobPlan } from "../jobs.ts";
import type { Answer, Vendor, VendorRequest, VendorWorld } from "../vendor.ts";
import { shapeOf, videoAnswer, videoLink } from "../video-links.ts";
import { bearerOf, jsonAnswer, jsonBodyOf, revokedKey } from "../wire.ts";
import { Refusal, refusalAnswer } from "./errors.ts";
import { type Ask, readAsk } from "./request.ts";

const vendor = "minimax";
const prefix = "/minimax";
const createPath = "/v2/video_generation";
const queryPath = /^\/v2\/query\/video_generation(?:\/(\d+))?$/;
const shortSides = { "480P": 480, "768P": 768, "2K": 1440 };
const usual = { resolution: "768P", ratio: "16:9", duration: 5 } as const;
const errors: Readonly<Record<string, { code: number; message: string }>> = {
  failed: { code: 1000, message: "The video could not be generated." },
  filtered: { code: 1027, message: "The video contains sensitive content." },
};

/** One request of a key. */
interface Visit {
  request: VendorRequest;
  requestId: string;
  key: string;
  jobs: JobBook;
}

export function createMinimax({ jobs }: VendorWorld): Vendor {
  let count = 0;
  return {
    prefix,
    answer(request) {
      const requestId = `minimax-${++count}`;
      try {
        return videoAnswer(request) ?? answerAt({ request, requestId, key: keyOf(request), jobs });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return refusalAnswer(error, requestId);
      }
    },
  };
}

function keyOf(request: VendorRequest): string {
  const key = bearerOf(request);
  if (key === null) throw new Refusal(401);
  request.note({ bearer: key });
  if (key === revokedKey) throw new Refusal(401);
  return key;
}

function answerAt(visit: Visit): Answer {
  const { method, path } = visit.request;
  if (method === "POST" && path === createPath) return create(visit);
  const found = queryPath.exec(path);
  if (method !== "GET" || !found) throw new Refusal(404);
  const [, id] = found;
  return id === undefined ? list(visit) : show(visit, id);
}

function create({ request, requestId, key, jobs }: Visit): Answer {
  const ask = readAsk(jsonBodyOf(request));
  const prompt = promptOf(ask.content);
  request.note({ model: ask.model });
  const faults = readFaults(prompt, key);
  if (faults.status !== null) return refusalAnswer(new Refusal(faults.status), requestId, faults);
  const { resolution = usual.resolution } = ask;
  const { id } = jobs.add({
    vendor,
    key,
    model: ask.model,
    reference: null,
    prompt,
    plan: readJobPlan(prompt, key),
    video: {
      ...shapeOf(shortSides[resolution], ratioOf(ask)),
      seconds: ask.duration ?? usual.duration,
    },
    details: { resolution, ratio: ratioOf(ask) },
    id: (serial) => serial,
  });
  return jsonAnswer({ task_id: id }, { faults });
}

function show(visit: Visit, id: string): Answer {
  const job = visit.jobs.find(vendor, visit.key, id);
  if (!job) throw new Refusal(404, "the task does not exist");
  return jsonAnswer({ task: render(job, visit) });
}

function list(visit: Visit): Answer {
  const { query } = visit.request;
  const page = Number(query.get("page_num") ?? 1);
  const size = Number(query.get("page_size") ?? 10);
  const isValid = Number.isInteger(page) && page >= 1 && Number.isInteger(size) && size >= 1;
  if (!isValid || size > 100) throw new Refusal(400);
  const all = visit.jobs.list(vendor, visit.key).map((job) => render(job, visit));
  return jsonAnswer({ total: all.length, tasks: all.slice((page - 1) * size, page * size) });
}

function render(job: Job, { request, jobs }: Visit): object {
  const { state } = jobs.stand(job);
  const { seconds } = job.video;
  const isDone = state === "succeeded";
  return {
    id: job.id,
    model: job.model,
    type: "video_generation",
    status: state === "filtered" ? "failed" : state,
    ...(isDone ? { content: { url: videoLink(request, prefix, job.video) } } : {}),
    ...job.details,
    duration: seconds,
    ...(isDone
      ? { usage: { total_seconds: seconds, input_seconds: 0, output_seconds: seconds } }
      : {}),
    error: errors[state] ?? null,
    created_at: Math.floor(job.createdMs / 1000),
  };
}

/** Media are not looked at, so what adapts to them comes out as usual. */
function ratioOf({ ratio }: Ask): string {
  return ratio === undefined || ratio === "adaptive" ? usual.ratio : ratio;
}
