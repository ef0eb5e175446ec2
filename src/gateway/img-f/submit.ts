// An imgF job, from a parsed body to a task. What goes on from another task runs where that one
// ran, with the same key: no other upstream knows it.
import { GatewayError } from "../../core/errors.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { ImgFCode } from "../../families/index.ts";
import type { ImgFJob } from "../../families/img-f-job.ts";
import { toImgFRow } from "../../families/img-f-row.ts";
import type { Caller } from "../../identity/caller.ts";
import { imageHold } from "../../quota/media-price.ts";
import type { Prices } from "../../quota/prices.ts";
import type { Create, Task } from "../../tasks/task.ts";
import type { Attempt, Candidates } from "../attempt.ts";
import type { Progress } from "../progress.ts";
import { findMakers } from "../find-makers.ts";
import { Intent, type IntentNeeds } from "../task/intent.ts";
import { startOn, startTask, type StartTaskNeeds } from "../task/start-task.ts";
import { imgFWay, keyDigest, type VendorNeeds } from "../task/vendor-call.ts";
import { waiting } from "./result.ts";

export interface SubmitImgFNeeds {
  intents: IntentNeeds;
  starting: StartTaskNeeds;
  vendors: VendorNeeds;
  prices: Prices;
}

interface ImgFSubmission {
  job: ImgFJob;
  /** The caller's own task that this one goes on from. */
  parent: Task | null;
  caller: Caller;
  webhookUrl: string | null;
  /** The request's own word. */
  label: string | null;
  /** The mark that tells the same create when it comes again. */
  create: Create | null;
  tries: Progress;
}

export interface ImgFMade {
  task: Task;
  code: ImgFCode;
}

export async function submitImgF(
  needs: SubmitImgFNeeds,
  submission: ImgFSubmission,
): Promise<ImgFMade> {
  const candidates = findCandidates(needs.vendors, submission);
  const intent = await open(needs, submission);
  let code: ImgFCode = 1;
  const { tries } = submission;
  const task = await startTask(needs.starting, intent, { candidates, tries }, (choice) =>
    start(needs, intent, { submission, choice, coded: (answered) => (code = answered) }),
  );
  return { task, code };
}

function findCandidates(
  { channels }: VendorNeeds,
  { job, caller, parent }: ImgFSubmission,
): Candidates {
  const serving = findMakers(channels, { facet: "imgF", job, caller });
  const origin = parent && findOrigin(parent, serving);
  return {
    accountId: caller.accountId,
    names: [job.model],
    namesObjects: parent !== null,
    channels: origin ? [origin.channel] : serving,
    favours: () => true,
    origin,
  };
}

/** Throws the 400 that names the task when its upstream is not there any more. */
function findOrigin(
  { channelId, keyDigest: digest, operation }: Task,
  serving: readonly Channel[],
): Choice {
  const channel = serving.find(({ settings }) => settings.id === channelId);
  const key = channel?.settings.keys.find((known) => keyDigest(known) === digest);
  if (channel && key && operation !== null) return { channel, key };
  const message =
    operation === null
      ? "taskId names a task that no upstream has begun."
      : "taskId names a task whose upstream cannot go on with it any more.";
  throw new GatewayError("invalid_request", { param: "taskId", message });
}

async function open(
  needs: SubmitImgFNeeds,
  { job, caller, webhookUrl, create, label, tries }: ImgFSubmission,
): Promise<Intent> {
  const facts = { size: null, quality: null, resolution: null, tier: null };
  const { multiplierPpm } = caller;
  const price = needs.prices.media([job.model], facts, { kind: "image", multiplierPpm });
  return await Intent.open(needs.intents, {
    kind: "image",
    family: "img-f",
    model: job.model,
    names: [job.model],
    job: toImgFRow(job),
    price,
    micros: imageHold(price, oneImage),
    lower: null,
    caller,
    webhookUrl,
    trace: tries.trace?.kept ?? null,
    label,
    create,
  });
}

/** No vendor counts tokens of these. */
export const oneImage = { images: 1, most: { inputTokens: 0, outputTokens: 0 } };

interface Start {
  submission: ImgFSubmission;
  choice: Choice;
  coded(code: ImgFCode): void;
}

async function start(
  needs: SubmitImgFNeeds,
  intent: Intent,
  { submission, choice, coded }: Start,
): Promise<Attempt<Task>> {
  const { job, parent, tries } = submission;
  const { channel, key } = choice;
  if (parent && parent.keyDigest !== keyDigest(key)) {
    // Another key of the channel, whose account does not know the task.
    const message = "The upstream that has the task cannot be used now.";
    return { kind: "unfit", error: new GatewayError("do_request_failed", { message }) };
  }
  const names = { taskId: intent.id, parent: parent?.operation ?? null };
  const place = { settings: channel.settings, key, trace: tries.trace ?? null };
  const way = imgFWay(needs.vendors, place, names);
  if (!way) throw new GatewayError("model_not_found", { param: "model" });
  return await startOn(needs.starting, intent, choice, async () => {
    const { operation, code } = await way.facet.start(job, way.call);
    coded(code);
    return { operation, result: code === 21 ? waiting : null };
  });
}
