// A submission to the proxy becomes a job, or a refusal with its number.
import type { JsonObject } from "../../src/core/json.ts";
import { readFaults } from "../directives.ts";
import { type Job, type JobAsk, readJobPlan } from "../jobs.ts";
import type { Answer } from "../vendor.ts";
import { shapeOf } from "../video-links.ts";
import { jsonAnswer, jsonBodyOf } from "../wire.ts";
import { createDraw, seedOf } from "../writer/seed.ts";
import { deedOf } from "./buttons.ts";
import { codes, faultAnswer, Refusal } from "./errors.ts";
import { type Action, checkPictures, read } from "./request.ts";
import { isWaiting, parentOf, statusOf, vendor, type Visit } from "./tasks.ts";

/** A job before it is taken. */
interface Draft {
  prompt: string;
  bot: string;
  reference: string | null;
  makes: "grid" | "single" | "words";
  ratio: string;
  details: JsonObject;
  /** It goes on as the task that waited. */
  replaces?: Job;
}

const usualBot = "MID_JOURNEY";
const sidePixels = 512;
const sidePixelsMax = 2048;
const runningMax = 3;
const foreverMs = 1e12;
const dimensionRatios = { PORTRAIT: "2:3", SQUARE: "1:1", LANDSCAPE: "3:2" } as const;

const drafts: Readonly<Record<Action, (json: unknown, visit: Visit) => Draft>> = {
  imagine(json) {
    const { prompt, base64Array = [], botType = usualBot, state = null } = read.imagine(json);
    checkPictures(base64Array);
    const details = { action: "IMAGINE", description: `/imagine ${prompt}` };
    const ratio = ratioIn(prompt);
    return { prompt, bot: botType, reference: state, makes: "grid", ratio, details };
  },
  change(json, visit) {
    const { taskId, action, index, state } = read.change(json);
    const parent = finished(visit, taskId);
    if (parentOf(parent).makes !== "grid") refuse("the task allows no changes");
    if (action !== "REROLL" && index === undefined) refuse("index is required");
    const short = `${action.charAt(0)}${index ?? ""}`;
    const makes = action === "UPSCALE" ? "single" : "grid";
    return heirOf(parent, { action, makes, state, description: `/up ${taskId} ${short}` });
  },
  action(json, visit) {
    const { taskId, customId, state } = read.action(json);
    const parent = finished(visit, taskId);
    const deed = deedOf(parentOf(parent), customId) ?? refuse("the task has no such button");
    const makes = deed.isGrid ? "grid" : "single";
    const draft = heirOf(parent, { action: deed.action, makes, state, description: customId });
    return deed.asks ? { ...draft, details: { ...draft.details, waits: true } } : draft;
  },
  blend(json) {
    const { base64Array, dimensions, botType = usualBot, state = null } = read.blend(json);
    checkPictures(base64Array);
    const details = { action: "BLEND", description: `/blend ${base64Array.length}` };
    const ratio = dimensionRatios[dimensions];
    return { prompt: "", bot: botType, reference: state, makes: "grid", ratio, details };
  },
  describe(json) {
    const { base64, botType = usualBot, state = null } = read.describe(json);
    checkPictures([base64]);
    const words = describe(base64);
    const details = { action: "DESCRIBE", description: "/describe picture.png", words };
    return { prompt: "", bot: botType, reference: state, makes: "words", ratio: "1:1", details };
  },
  modal(json, visit) {
    const { taskId, prompt, state } = read.modal(json);
    const waiting = known(visit, taskId);
    if (!isWaiting(waiting)) refuse("the task does not wait for a modal");
    const { waits: _waits, ...details } = waiting.details;
    const said = prompt === undefined || prompt === "" ? waiting.prompt : prompt;
    return {
      prompt: said,
      bot: waiting.model,
      reference: state ?? waiting.reference,
      makes: parentOf(waiting).makes,
      ratio: ratioIn(said),
      details,
      replaces: waiting,
    };
  },
};

export function submit(visit: Visit, action: Action): Answer {
  const { request, key, jobs } = visit;
  const draft = drafts[action](jsonBodyOf(request), visit);
  request.note({ model: draft.bot });
  // A task that goes on from another has its prompt, and with that its directives.
  const faults = readFaults(draft.prompt, key);
  if (faults.status !== null) return faultAnswer(faults.status, faults);
  if (faults.filter) {
    const properties = { promptEn: draft.prompt, bannedWord: "sandbox" };
    throw new Refusal(codes.banned, "The prompt may contain banned words", properties);
  }
  const running = jobs.list(vendor, key).filter((job) => jobs.stand(job).state === "running");
  if (draft.replaces) jobs.remove(draft.replaces);
  const { id } = jobs.add(jobOf(draft, key));
  if (draft.details["waits"] === true) {
    const properties = { finalPrompt: draft.prompt, remix: true };
    const body = { code: codes.modal, description: "Waiting for window confirm" };
    return jsonAnswer({ ...body, result: id, properties }, { faults });
  }
  const isQueued = running.length >= runningMax;
  const code = isQueued ? codes.queued : codes.begun;
  const description = isQueued ? `In queue, ${running.length} before it` : "Submit success";
  return jsonAnswer({ code, description, result: id, properties: {} }, { faults });
}

function jobOf(draft: Draft, key: string): JobAsk {
  const { prompt, bot, reference, makes, details, replaces } = draft;
  const plan = readJobPlan(prompt, key);
  return {
    vendor,
    key,
    model: bot,
    reference,
    prompt,
    plan: details["waits"] === true ? { ...plan, takesMs: foreverMs } : plan,
    video: { ...sizeOf(draft), seconds: 1 },
    details: { ...details, makes },
    id: (serial) => replaces?.id ?? serial,
  };
}

function sizeOf({ makes, ratio }: Draft): { width: number; height: number } {
  const { width, height } = shapeOf(makes === "grid" ? 2 * sidePixels : sidePixels, ratio);
  return { width: Math.min(width, sidePixelsMax), height: Math.min(height, sidePixelsMax) };
}

interface Heir {
  action: string;
  makes: "grid" | "single";
  state: string | undefined;
  description: string;
}

function heirOf(parent: Job, { action, makes, state = undefined, description }: Heir): Draft {
  return {
    prompt: parent.prompt,
    bot: parent.model,
    reference: state ?? null,
    makes,
    ratio: `${parent.video.width}:${parent.video.height}`,
    details: { action, description },
  };
}

function known({ jobs, key }: Visit, taskId: string): Job {
  const job = jobs.find(vendor, key, taskId);
  if (!job) throw new Refusal(codes.notFound, "The task does not exist");
  return job;
}

function finished(visit: Visit, taskId: string): Job {
  const job = known(visit, taskId);
  if (statusOf(job, visit.jobs) !== "SUCCESS") refuse("the task has not succeeded");
  return job;
}

function refuse(description: string): never {
  throw new Refusal(codes.invalid, description);
}

/** Ratio in the prompt, such as `--ar 16:9`. */
function ratioIn(prompt: string): string {
  return /\s--(?:ar|aspect)\s+([1-9]\d?:[1-9]\d?)\b/.exec(prompt)?.[1] ?? "1:1";
}

const subjects = ["a quiet harbour", "an old oak", "a red fox", "a stone bridge", "a paper boat"];
const moods = ["in morning light", "under heavy rain", "in deep winter", "at the end of summer"];
const manners = ["oil on canvas", "a photograph on film", "fine ink lines", "soft watercolours"];

/** Four prompts for pictures like this one. */
function describe(base64: string): string {
  const draw = createDraw(seedOf(base64));
  const like = () => `${draw(subjects)} ${draw(moods)}, ${draw(manners)} --ar 1:1`;
  return [1, 2, 3, 4].map((at) => `${at}️⃣ ${like()}`).join("\n\n");
}
