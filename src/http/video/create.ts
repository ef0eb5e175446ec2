// The creation of a video, from a body in any of its shapes to the answer.
import { digestOf } from "../../core/digest.ts";
import { GatewayError, toGatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { VideoFamily } from "../../families/family.ts";
import { findVideoFamily, renderAccepted } from "../../families/index.ts";
import type { VideoJob } from "../../families/video-job.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import { submittedOutcome } from "../../gateway/outcome.ts";
import type { Made } from "../../gateway/task/idempotency.ts";
import { resolveAssets } from "../../gateway/video/resolve-assets.ts";
import { renderVideo, toView } from "../../gateway/video/render.ts";
import { submitVideo, type VideoSubmission } from "../../gateway/video/submit.ts";
import type { Incoming, KeyCall } from "../route.ts";
import type { VideoParts } from "./parts.ts";

/** What a body asks for. */
export interface Draft {
  family: VideoFamily;
  /** Checks the fields, in the family's envelope. */
  parse(): VideoJob;
  /** As upstreams that take it as it is would get it. */
  body: JsonObject;
}

export interface Ask {
  incoming: Incoming;
  call: KeyCall;
}

/** The family's own body and shape. */
export async function createVideo(parts: VideoParts, ask: Ask): Promise<Answer> {
  const made = await makeVideo(parts, ask, draftOf);
  return answerMade(made, renderVideo(made.task, parts.linkTo, !made.isRepeated));
}

/** The unified route has fields of its own, which each family reads in its way. */
export async function createUnified(parts: VideoParts, ask: Ask): Promise<Answer> {
  try {
    const made = await makeVideo(parts, ask, draftUnified);
    return answerMade(made, renderAccepted(toView(made.task, parts.linkTo, !made.isRepeated)));
  } catch (error) {
    const shown = toGatewayError(error);
    if (shown.status === 429) shown.envelope = "b";
    throw shown;
  }
}

export function draftUnified(body: JsonObject): Draft {
  return draftOf(familyFor(body).unified?.(body) ?? body);
}

function draftOf(body: JsonObject): Draft {
  const family = familyFor(body);
  return { family, parse: () => family.parse(body), body };
}

function familyFor({ model }: JsonObject): VideoFamily {
  if (typeof model !== "string" || model === "") {
    throw new GatewayError("invalid_request", { param: "model", message: "model is required" });
  }
  const family = findVideoFamily(model);
  if (!family) throw new GatewayError("model_not_found", { param: "model" });
  return family;
}

export function answerMade({ isRepeated }: Made, body: JsonObject): Answer {
  const answer = jsonAnswer(body);
  return isRepeated ? { ...answer, headers: { "idempotent-replayed": "true" } } : answer;
}

export async function makeVideo(
  parts: VideoParts,
  { incoming, call }: Ask,
  read: (value: JsonObject) => Draft,
): Promise<Made> {
  const { admission, ended } = call;
  const { value } = await incoming.jsonOrForm(parts.bodyBytesMax);
  let model = "";
  try {
    const draft = read(value);
    const made = await inEnvelope(draft.family.envelope, async () => {
      const parsed = draft.parse();
      ({ model } = parsed);
      const webhookUrl = readWebhookUrl(value, parts);
      const { family } = draft;
      const given = { job: parsed, body: draft.body };
      const resolved = await resolveAssets(parts.assets, call.caller.accountId, given);
      const { scope } = incoming;
      const asked = { ...resolved, family, caller: call.caller, scope, webhookUrl };
      return await makeOnce(parts, { incoming, value }, asked);
    });
    ended(submittedOutcome(made.task.model, null));
    return made;
  } catch (error) {
    const shown = toGatewayError(error);
    ended(submittedOutcome(model, shown));
    throw shown;
  } finally {
    admission.release();
  }
}

/** A create without a key of its own is a new one each time. */
async function makeOnce(
  parts: VideoParts,
  { incoming, value }: { incoming: Incoming; value: JsonObject },
  asked: Omit<VideoSubmission, "create">,
): Promise<Made> {
  const key = incoming.headers.get("idempotency-key");
  if (key === null) {
    return { task: await submitVideo(parts, { ...asked, create: null }), isRepeated: false };
  }
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    const message = "Idempotency-Key must be a text of at most 255 ASCII characters.";
    throw new GatewayError("invalid_request", { param: "Idempotency-Key", message });
  }
  const digest = digestOf(JSON.stringify(value));
  return await parts.creates.once(asked.caller.accountId, { key, digest }, (create) =>
    submitVideo(parts, { ...asked, create }),
  );
}

/** As it is called here, and by two vendors. */
const webhookFields = ["webhook_url", "callback_url", "notify_hook"];
const urlLengthMax = 2048;

function readWebhookUrl(body: JsonObject, { acceptsUrl }: VideoParts): string | null {
  for (const param of webhookFields) {
    const given = body[param];
    if (given === undefined || given === null || given === "") continue;
    const isText = typeof given === "string" && given.length <= urlLengthMax;
    const url = isText ? acceptsUrl(given) : null;
    if (url !== null) return url;
    const message = `${param} must be a public http or https URL.`;
    throw new GatewayError("invalid_request", { param, message });
  }
  return null;
}

/** Null leaves it to the address, whatever the family is. */
export async function inEnvelope<Value>(
  envelope: VideoFamily["envelope"] | null,
  run: () => Promise<Value>,
): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    const shown = toGatewayError(error);
    shown.envelope = envelope;
    throw shown;
  }
}
