// A video, from a parsed body to a task: check, find channels, price, then record and hold before
// the vendor is called. What may have reached a vendor is never sent again.
import { GatewayError, toGatewayError } from "../../core/errors.ts";
import type { Ids, TaskId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { OutboundFailed } from "../../core/outbound.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { VideoFamily } from "../../families/family.ts";
import { toJobRow } from "../../families/job-row.ts";
import type { VideoJob, VideoUnits } from "../../families/video-job.ts";
import type { Caller } from "../../identity/caller.ts";
import type { Balances } from "../../quota/balances.ts";
import { videoCost, type MediaPrice } from "../../quota/media-price.ts";
import type { Prices } from "../../quota/prices.ts";
import type { TaskBook } from "../../tasks/book.ts";
import type { TaskEngine } from "../../tasks/engine.ts";
import type { Create, Task, TaskPlace } from "../../tasks/task.ts";
import { upstreams } from "../../upstreams/index.ts";
import { VendorRefusal } from "../../upstreams/upstream.ts";
import { attemptChannels, type Attempt, type AttemptParts, type Candidates } from "../attempt.ts";
import type { Scope } from "../scope.ts";
import { concealer, toAttempt } from "../text/try-text.ts";
import { withNeededBytes, type NeedParts } from "./needed-bytes.ts";
import type { TaskPlaces } from "../task/places.ts";
import type { AssetHome } from "./resolve-assets.ts";
import { keyDigest, videoWay, type VendorParts } from "../task/vendor-call.ts";

export interface SubmitParts extends AttemptParts, VendorParts {
  needs: NeedParts;
  ids: Ids;
  book: TaskBook;
  engine: TaskEngine;
  places: TaskPlaces;
  prices: Prices;
  balances: Balances;
  taskDeadlineMs: number;
}

export interface VideoSubmission {
  family: VideoFamily;
  job: VideoJob;
  /** The client's own body, for upstreams that take it as it is. */
  body: JsonObject;
  /** The only place for the job, where it names an asset that an upstream has. */
  home: AssetHome | null;
  caller: Caller;
  scope: Scope;
  webhookUrl: string | null;
  /** By what the same create is known when it comes again. */
  create: Create | null;
}

export async function submitVideo(parts: SubmitParts, given: VideoSubmission): Promise<Task> {
  const serving = findServing(parts, given);
  const fits = (job: VideoJob) =>
    serving.some(({ settings }) => upstreams[settings.type]?.video?.lacks(job) === null);
  const asked = { ...given, job: await withNeededBytes(parts.needs, given.job, fits) };
  const candidates = findCandidates(parts, asked, serving);
  const submission = await open(parts, asked);
  const progress = { attempts: 0, channel: null };
  try {
    const lease = await attemptChannels(parts, candidates, progress, (choice) =>
      start(parts, submission, choice),
    );
    const { value: task, release } = lease;
    parts.places.take(task.id, release);
    parts.engine.watch(task);
    return task;
  } catch (error) {
    const shown = toGatewayError(error);
    // The client is told now; there is no task to ask about.
    const { code, message } = shown;
    await parts.book.drop(submission.id, { code, message });
    throw shown;
  }
}

function findCandidates(
  parts: SubmitParts,
  { job, home }: VideoSubmission,
  serving: readonly Channel[],
): Candidates {
  const origin = home && findHome(parts, home, serving);
  const found = origin ? [origin.channel] : serving;
  let lacking: string | null = null;
  const fitting = found.filter(({ settings }) => {
    const lacks = upstreams[settings.type]?.video?.lacks(job) ?? null;
    lacking ??= lacks;
    return lacks === null;
  });
  if (fitting.length === 0) {
    const param = lacking ?? "model";
    const message = `${param} cannot be carried to the upstream that serves this model.`;
    throw new GatewayError("invalid_request", { param, message });
  }
  return { channels: fitting, favours: () => true, origin };
}

function findServing(parts: SubmitParts, { caller, job, body }: VideoSubmission): Channel[] {
  // A key and a channel may name the model as the family does, or as the client did.
  const names = new Set([job.model, typeof body["model"] === "string" ? body["model"] : ""]);
  const isAllowed = caller.models === null || [...names].some((name) => caller.models?.has(name));
  const serving = [...names].flatMap((name) => parts.channels.candidates(name, caller.group));
  const found = isAllowed
    ? [...new Set(serving)]
        .filter(({ settings }) => upstreams[settings.type]?.video)
        .toSorted((one, other) => other.settings.priority - one.settings.priority)
    : [];
  if (found.length === 0) throw new GatewayError("model_not_found", { param: "model" });
  return found;
}

/** Throws the 400 that names the asset when its upstream is not there for this request. */
function findHome(
  { channels }: SubmitParts,
  { channelId, keyDigest: digest, param }: AssetHome,
  serving: readonly Channel[],
): Choice {
  const channel = channels.find(channelId);
  const key = channel?.settings.keys.find((one) => keyDigest(one) === digest);
  if (channel && key && serving.includes(channel)) return { channel, key };
  const message =
    channel && key
      ? `${param} names an asset of an upstream that does not serve this model`
      : `${param} names an asset that must be registered again: its upstream is gone`;
  throw new GatewayError("invalid_request", { param, message });
}

interface Submission {
  id: TaskId;
  asked: VideoSubmission;
  units: VideoUnits;
  price: MediaPrice;
  account: NonNullable<Awaited<ReturnType<Balances["account"]>>>;
  key: NonNullable<Awaited<ReturnType<Balances["key"]>>>;
  createdAtMs: number;
  /** Its intent is on record. */
  isAdded: boolean;
}

async function open(parts: SubmitParts, asked: VideoSubmission): Promise<Submission> {
  const { caller, family, job } = asked;
  const units = family.units(job);
  const facts = { ...units, quality: null };
  const { multiplierPpm } = caller;
  const price = parts.prices.media(job.model, facts, { kind: "video", multiplierPpm });
  const [account, key] = await Promise.all([
    parts.balances.account(caller.accountId),
    parts.balances.key(caller.keyId),
  ]);
  if (!account || !key) throw new GatewayError("invalid_api_key");
  const createdAtMs = parts.clock.nowMs();
  const id = parts.ids.task();
  return { id, asked, units, price, account, key, createdAtMs, isAdded: false };
}

async function start(
  parts: SubmitParts,
  submission: Submission,
  choice: Choice,
): Promise<Attempt<Task>> {
  const { id, asked } = submission;
  const place = placeOf(choice, asked.job.model);
  const { settings } = choice.channel;
  const { key } = choice;
  if (asked.home && asked.home.keyDigest !== place.keyDigest) {
    // Another key of the channel, whose account does not know the asset.
    const message = "The upstream that has the asset cannot be used now.";
    return { kind: "unfit", error: new GatewayError("do_request_failed", { message }) };
  }
  const way = videoWay(parts, { settings, key }, { taskId: id, model: place.upstreamModel });
  if (!way) throw new GatewayError("model_not_found", { param: "model" });
  await record(parts, submission, place);
  try {
    const operation = await way.facet.start(asked.job, asked.body, way.call);
    await parts.book.change(id, { state: "queued", operation });
  } catch (error) {
    if (error instanceof VendorRefusal) {
      return toAttempt(error.fault, concealer(key.text)(error.message));
    }
    if (wasNeverSent(error)) {
      const failure = new GatewayError("do_request_failed", { cause: error });
      return { kind: "failed", blame: "channel", error: failure };
    }
    await parts.book.change(id, { state: "unknown" });
  }
  const task = await parts.book.find(id);
  if (!task) throw new GatewayError("server_error");
  return { kind: "served", value: task };
}

/** The intent, with the exact channel and key, is safe before the vendor hears of it. */
async function record(
  { book, taskDeadlineMs }: SubmitParts,
  submission: Submission,
  place: TaskPlace,
): Promise<void> {
  if (submission.isAdded) {
    await book.change(submission.id, { ...place, state: "submitting" });
    return;
  }
  submission.isAdded = true;
  const { asked, account, key, price, units } = submission;
  const micros = videoCost(price, units.seconds);
  const { group } = asked.caller;
  const { model } = asked.job;
  const ask = { account, key, group, model, micros, price: JSON.stringify(price) };
  const deadlineAtMs = submission.createdAtMs + taskDeadlineMs;
  const task = { ...toTask(submission, place), heldMicros: micros, deadlineAtMs };
  await book.add(task, ask, asked.create);
}

function toTask(
  submission: Submission,
  place: TaskPlace,
): Omit<Task, "heldMicros" | "deadlineAtMs"> {
  const { id, asked, price, createdAtMs } = submission;
  const { caller, family, job, webhookUrl } = asked;
  return {
    id,
    kind: "video",
    accountId: caller.accountId,
    keyId: caller.keyId,
    group: caller.group,
    family: family.name,
    model: job.model,
    job: toJobRow(job),
    price,
    webhookUrl,
    createdAtMs,
    ...place,
    state: "submitting",
    progress: 0,
    operation: null,
    result: null,
    delivered: { seconds: null, tokens: null },
    error: null,
    nextPollAtMs: null,
    completedAtMs: null,
    deletedAtMs: null,
  };
}

function placeOf({ channel, key }: Choice, model: string): TaskPlace {
  return {
    channelId: channel.settings.id,
    keyDigest: keyDigest(key),
    upstreamModel: channel.upstreamModel(model),
  };
}

/** A connection that was never made cannot have carried anything. */
function wasNeverSent(error: unknown): boolean {
  return error instanceof OutboundFailed && /refused|notfound|dns/i.test(error.message);
}
