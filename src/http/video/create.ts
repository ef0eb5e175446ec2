// The creation of a video, from a body in any of its shapes to the answer.
import type { Assets } from "../../assets/assets.ts";
import { invalid, toGatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { VideoFamily } from "../../families/family.ts";
import { findVideoFamily, renderAccepted } from "../../families/index.ts";
import { askedAs } from "../../families/model-names.ts";
import type { VideoJob } from "../../families/video-job.ts";
import type { Answer } from "../../gateway/answer.ts";
import type { OpenCall } from "../../gateway/open-call.ts";
import {
  answerCreated,
  createTask,
  finishCreate,
  nameTask,
  type CreateTaskNeeds,
} from "../../gateway/task/create-task.ts";
import type { CreatedTask } from "../../gateway/task/idempotency.ts";
import { resolveAssets } from "../../gateway/video/resolve-assets.ts";
import { renderVideo, toVideoView } from "../../gateway/video/render.ts";
import { submitVideo, type SubmitVideoNeeds } from "../../gateway/video/submit.ts";
import type { MediaStore } from "../../media/media.ts";
import { EnvelopedError, inEnvelope } from "../envelopes/enveloped-error.ts";
import { statusOf } from "../envelopes/status.ts";
import type { Incoming } from "../route.ts";
import { unknownModel } from "../../gateway/unknown-model.ts";
import { linksFor, type Links } from "../../gateway/own-links.ts";

export interface CreateVideoNeeds {
  tasks: CreateTaskNeeds;
  assets: Pick<Assets, "resolve">;
  submitting: SubmitVideoNeeds;
  media: MediaStore;
  bodyBytesMax: number;
}

/** The job that a body asks for. */
export interface Draft {
  family: VideoFamily;
  /** The envelope of refusals; null leaves it to the address, whatever the family is. */
  envelope: VideoFamily["envelope"] | null;
  /** Checks the fields. */
  parse(): VideoJob;
  /** The body for upstreams that take it as it is. */
  body: JsonObject;
}

interface VideoCreation {
  incoming: Incoming;
  call: OpenCall;
  draft(body: JsonObject): Draft;
  render(created: CreatedTask): Answer;
}

type Creation = Pick<VideoCreation, "incoming" | "call">;

/** The family's own body and shape. */
export function createVideo(needs: CreateVideoNeeds, creation: Creation): Promise<Answer> {
  return makeVideo(needs, {
    ...creation,
    draft: draftOf,
    render: (created) =>
      answerCreated(
        created,
        renderVideo(created.task, linksOf(needs, creation), !created.isRepeated),
      ),
  });
}

/** The unified route has fields of its own, which each family reads in its way. */
export async function createUnified(needs: CreateVideoNeeds, creation: Creation): Promise<Answer> {
  try {
    return await makeVideo(needs, {
      ...creation,
      draft: draftUnified,
      render: (created) =>
        answerCreated(
          created,
          renderAccepted(toVideoView(created.task, linksOf(needs, creation), !created.isRepeated)),
        ),
    });
  } catch (error) {
    const shown = toGatewayError(error);
    throw statusOf(shown) === 429 ? new EnvelopedError("b", shown) : shown;
  }
}

/** A create that is repeated may find a task that has ended. */
function linksOf({ media }: CreateVideoNeeds, { incoming }: Creation): Links {
  return linksFor(media, incoming);
}

export function draftUnified(body: JsonObject): Draft {
  return draftOf(familyFor(body).unified?.(body) ?? body);
}

function draftOf(body: JsonObject): Draft {
  const family = familyFor(body);
  const name = String(body["model"]);
  return {
    family,
    envelope: family.envelope,
    parse: () => askedAs(family.parse(body), name),
    body,
  };
}

/** The envelope of the body's family; null where that cannot be told. */
export function envelopeFor({ model }: JsonObject): VideoFamily["envelope"] | null {
  return typeof model === "string" ? (findVideoFamily(model)?.envelope ?? null) : null;
}

function familyFor({ model }: JsonObject): VideoFamily {
  if (typeof model !== "string" || model === "") throw invalid("model", "is required");
  const family = findVideoFamily(model);
  if (!family) throw unknownModel({ model, wanted: "video" });
  return family;
}

export async function makeVideo(needs: CreateVideoNeeds, creation: VideoCreation): Promise<Answer> {
  const { incoming, call } = creation;
  call.attempts = 1;
  const { value } = await incoming.jsonOrForm(needs.bodyBytesMax);
  const draft = creation.draft(value);
  return await inEnvelope(draft.envelope, () => orderVideo(needs, creation, { draft, value }));
}

async function orderVideo(
  { tasks, assets, submitting }: CreateVideoNeeds,
  { incoming, call, render }: VideoCreation,
  { draft, value }: { draft: Draft; value: JsonObject },
): Promise<Answer> {
  const { family, body } = draft;
  const { caller, scope } = call;
  const job = draft.parse();
  const webhookUrl = await nameTask(tasks, call, { job, body: value });
  const resolved = await resolveAssets(assets, caller.accountId, { job, body });
  const created = await createTask(tasks, call, {
    idempotencyKey: incoming.headers.get("idempotency-key"),
    identity: value,
    webhookUrl,
    submit: (terms) => submitVideo(submitting, { ...resolved, family, caller, scope, ...terms }),
  });
  return finishCreate(call, render(created));
}
