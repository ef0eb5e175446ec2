// The creation of a task, one for all kinds: what the body asks for, who is told of the end, a key
// under which the same create makes nothing new, and the record of how it went.
import { digestOf } from "../../core/digest.ts";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { shownModel } from "../../families/index.ts";
import { namesOf, type Named } from "../../families/model-names.ts";
import type { Create, Task } from "../../tasks/task.ts";
import { jsonAnswer, type Answer } from "../answer.ts";
import { newProgress, type Progress } from "../progress.ts";
import type { OpenCall } from "../open-call.ts";
import { answeredOutcome } from "../outcome.ts";
import { assertKey, type Creates, type CreatedTask } from "./idempotency.ts";

export interface CreateTaskNeeds {
  creates: Creates;
  /** The URL as it would be called, or null when that is out of the question. */
  acceptsUrl(url: string): string | null;
}

/** Terms of one create of a task. */
interface TaskTerms {
  webhookUrl: string | null;
  /** The mark that tells the same create when it comes again. */
  create: Create | null;
  /** The request's own word. */
  label: string | null;
  /** Told which channels failed to start it. */
  tries: Progress;
}

/** Order of a body whose fields are checked and whose references are found. */
interface TaskOrder {
  /** The client's own for this create; null where each is a new one. */
  idempotencyKey: string | null;
  /** Identity: another create that has this in common is the same one. */
  identity: JsonObject;
  webhookUrl: string | null;
  submit(terms: TaskTerms): Promise<Task>;
}

/** Notes what was asked for, within the rates for it, and tells who is to hear of its end. */
export async function nameTask(
  needs: CreateTaskNeeds,
  call: OpenCall,
  { job, ...read }: { job: Named; body: JsonObject; fields?: readonly string[] },
): Promise<string | null> {
  call.model = shownModel(job);
  const { trace } = call.scope;
  if (trace) trace.names = namesOf(job);
  const webhookUrl = readWebhookUrl(needs, read);
  await call.askFor(namesOf(job));
  return webhookUrl;
}

export async function createTask(
  { creates }: CreateTaskNeeds,
  call: OpenCall,
  { idempotencyKey, identity, webhookUrl, submit }: TaskOrder,
): Promise<CreatedTask> {
  const create = idempotencyKey === null ? null : readCreate(idempotencyKey, identity);
  const make = async (known: Create | null) => {
    const tries = newProgress(call.scope.startedAtMs, call.scope.trace ?? null);
    try {
      return await submit({ webhookUrl, create: known, label: call.label, tries });
    } finally {
      call.failedChannels = tries.failedChannels;
      call.trail = tries.trail;
      call.candidates = tries.candidates;
      call.waitedMs = tries.waitedMs;
    }
  };
  const created = create
    ? await creates.once(call.caller, create, make)
    : { task: await make(null), isRepeated: false };
  call.taskId = created.task.id;
  return created;
}

export function finishCreate(call: OpenCall, answer: Answer): Answer {
  call.finish(answeredOutcome(answer.status));
  return answer;
}

function readCreate(key: string, identity: JsonObject): Create {
  assertKey(key);
  return { key, digest: digestOf(JSON.stringify(identity)) };
}

/** Names of the field, ours and those of two vendors. */
export const webhookFields: readonly string[] = ["webhook_url", "callback_url", "notify_hook"];
const urlLengthMax = 2048;

function readWebhookUrl(
  { acceptsUrl }: CreateTaskNeeds,
  { body, fields = webhookFields }: { body: JsonObject; fields?: readonly string[] },
): string | null {
  for (const param of fields) {
    const value = body[param];
    if (value === undefined || value === null || value === "") continue;
    const isText = typeof value === "string" && value.length <= urlLengthMax;
    const url = isText ? acceptsUrl(value) : null;
    if (url !== null) return url;
    const message = `${param} must be a public http or https URL.`;
    throw new GatewayError("invalid_request", { param, message });
  }
  return null;
}

/** Told with what was there before. */
export const replayed = { "idempotent-replayed": "true" };

export function replayedHeaders({ isRepeated }: CreatedTask): Record<string, string> {
  return isRepeated ? replayed : {};
}

export function answerCreated(created: CreatedTask, body: JsonObject): Answer {
  return { ...jsonAnswer(body), headers: replayedHeaders(created) };
}
