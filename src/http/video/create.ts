// The creation of a video, from a body in any of its shapes to the answer.
import { GatewayError, toGatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { VideoFamily } from "../../families/family.ts";
import { findVideoFamily, renderAccepted } from "../../families/index.ts";
import type { VideoJob } from "../../families/video-job.ts";
import type { Answer } from "../../gateway/answer.ts";
import { submittedOutcome } from "../../gateway/outcome.ts";
import type { Made } from "../../gateway/task/idempotency.ts";
import { resolveAssets } from "../../gateway/video/resolve-assets.ts";
import { renderVideo, toView } from "../../gateway/video/render.ts";
import { submitVideo } from "../../gateway/video/submit.ts";
import { EnvelopedError } from "../envelopes/enveloped-error.ts";
import { statusOf } from "../envelopes/status.ts";
import type { Incoming, KeyCall } from "../route.ts";
import { answerMade, makeOnce, readWebhookUrl } from "../task/create.ts";
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
    throw statusOf(shown) === 429 ? new EnvelopedError("b", shown) : shown;
  }
}

export function draftUnified(body: JsonObject): Draft {
  return draftOf(familyFor(body).unified?.(body) ?? body);
}

function draftOf(body: JsonObject): Draft {
  const family = familyFor(body);
  return { family, parse: () => family.parse(body), body };
}

/** As the family of the body would be answered; null where that cannot be told. */
export function envelopeFor({ model }: JsonObject): VideoFamily["envelope"] | null {
  return typeof model === "string" ? (findVideoFamily(model)?.envelope ?? null) : null;
}

function familyFor({ model }: JsonObject): VideoFamily {
  if (typeof model !== "string" || model === "") {
    throw new GatewayError("invalid_request", { param: "model", message: "model is required" });
  }
  const family = findVideoFamily(model);
  if (!family) throw new GatewayError("model_not_found", { param: "model" });
  return family;
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
      const once = { headers: incoming.headers, accountId: call.caller.accountId, value };
      return await makeOnce(parts, once, (create) => submitVideo(parts, { ...asked, create }));
    });
    ended({ ...submittedOutcome(made.task.model, null), taskId: made.task.id });
    return made;
  } catch (error) {
    const shown = toGatewayError(error);
    ended(submittedOutcome(model, shown));
    throw shown;
  } finally {
    admission.release();
  }
}

/** Null leaves it to the address, whatever the family is. */
export async function inEnvelope<Value>(
  envelope: VideoFamily["envelope"] | null,
  run: () => Promise<Value>,
): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    throw new EnvelopedError(envelope, toGatewayError(error));
  }
}
