// A video, from a parsed body to a task: check, find channels, price, then record and hold before
// the vendor is called. What may have reached a vendor is never sent again.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { VideoFamily } from "../../families/family.ts";
import { shownModel } from "../../families/index.ts";
import { toJobRow } from "../../families/job-row.ts";
import { namesOf } from "../../families/model-names.ts";
import type { VideoJob } from "../../families/video-job.ts";
import type { Caller } from "../../identity/caller.ts";
import { videoCost } from "../../quota/media-price.ts";
import type { Prices } from "../../quota/prices.ts";
import type { Create, Task } from "../../tasks/task.ts";
import { upstreams } from "../../upstreams/index.ts";
import type { Attempt, Candidates } from "../attempt.ts";
import type { Progress } from "../progress.ts";
import { findMakers } from "../find-makers.ts";
import type { Scope } from "../scope.ts";
import { Intent, type IntentNeeds } from "../task/intent.ts";
import { startOn, startTask, type StartTaskNeeds } from "../task/start-task.ts";
import { keyDigest, videoWay, type VendorNeeds } from "../task/vendor-call.ts";
import { withNeededBytes, type ReferenceNeeds } from "./needed-bytes.ts";
import type { AssetHome } from "./resolve-assets.ts";

export interface SubmitVideoNeeds {
  intents: IntentNeeds;
  starting: StartTaskNeeds;
  vendors: VendorNeeds;
  references: ReferenceNeeds;
  prices: Prices;
}

interface VideoSubmission {
  family: VideoFamily;
  job: VideoJob;
  /** The client's own body, for upstreams that take it as it is. */
  body: JsonObject;
  /** The only place for the job, where it names an asset that an upstream has. */
  home: AssetHome | null;
  caller: Caller;
  scope: Scope;
  webhookUrl: string | null;
  /** The request's own word. */
  label: string | null;
  /** The mark that tells the same create when it comes again. */
  create: Create | null;
  tries: Progress;
}

export async function submitVideo(
  needs: SubmitVideoNeeds,
  submission: VideoSubmission,
): Promise<Task> {
  const { channels } = needs.vendors;
  const serving = findMakers(channels, { facet: "video", ...submission });
  const fits = (job: VideoJob) =>
    serving.some(({ settings }) => upstreams[settings.type]?.video?.lacks(job) === null);
  const job = await withNeededBytes(needs.references, submission.job, fits);
  const complete = { ...submission, job };
  const candidates = findCandidates(channels, complete, serving);
  const intent = await open(needs, complete);
  const { tries } = submission;
  return await startTask(needs.starting, intent, { candidates, tries }, (choice) =>
    start(needs, intent, complete, choice),
  );
}

function findCandidates(
  channels: Channels,
  { job, body, home, caller }: VideoSubmission,
  serving: readonly Channel[],
): Candidates {
  const origin = home && findHome(channels, home, serving);
  const open = origin ? [origin.channel] : serving;
  let lacking: string | null = null;
  const fitting = open.filter(({ settings }) => {
    const lacks = upstreams[settings.type]?.video?.lacks(job) ?? null;
    lacking ??= lacks;
    return lacks === null;
  });
  if (fitting.length === 0) {
    const param = lacking === null ? "model" : sentName(body, lacking);
    const message = `${param} cannot be carried to the upstream that serves this model.`;
    throw new GatewayError("invalid_request", { param, message });
  }
  return {
    accountId: caller.accountId,
    names: namesOf(job),
    namesObjects: job.media.some(({ source }) => source.kind !== "bytes"),
    channels: fitting,
    favours: () => true,
    origin,
  };
}

/** Names of one thing; a client is told the one that it used. */
const otherNames = [
  ["seconds", "duration"],
  ["aspect_ratio", "ratio", "size"],
  ["resolution", "video_resolution", "size"],
];

function sentName(body: JsonObject, name: string): string {
  if (name in body) return name;
  const names = otherNames.find((group) => group.includes(name)) ?? [];
  return names.find((other) => other in body) ?? name;
}

/** Throws the 400 that names the asset when its upstream is not there for this request. */
function findHome(
  channels: Channels,
  { channelId, keyDigest: digest, param }: AssetHome,
  serving: readonly Channel[],
): Choice {
  const channel = channels.find(channelId);
  const key = channel?.settings.keys.find((known) => keyDigest(known) === digest);
  if (channel && key && serving.includes(channel)) return { channel, key };
  const message =
    channel && key
      ? `${param} names an asset of an upstream that does not serve this model`
      : `${param} names an asset that must be registered again: its upstream is gone`;
  throw new GatewayError("invalid_request", { param, message });
}

async function open(
  needs: SubmitVideoNeeds,
  { family, job, body, caller, webhookUrl, create, label, tries }: VideoSubmission,
): Promise<Intent> {
  const units = family.units(job);
  const facts = { ...units, quality: null };
  const { multiplierPpm } = caller;
  const price = needs.prices.media(namesOf(job), facts, { kind: "video", multiplierPpm });
  return await Intent.open(needs.intents, {
    kind: "video",
    family: family.name,
    model: shownModel(job),
    names: namesOf(job),
    job: toJobRow(job),
    price,
    micros: videoCost(price, units.seconds),
    lower: "duration" in body ? "duration" : "seconds",
    caller,
    webhookUrl,
    trace: tries.trace?.kept ?? null,
    label,
    create,
  });
}

async function start(
  needs: SubmitVideoNeeds,
  intent: Intent,
  { job, body, home, tries }: VideoSubmission,
  choice: Choice,
): Promise<Attempt<Task>> {
  const { settings } = choice.channel;
  const { key } = choice;
  if (home && home.keyDigest !== keyDigest(key)) {
    // Another key of the channel, whose account does not know the asset.
    const message = "The upstream that has the asset cannot be used now.";
    return { kind: "unfit", error: new GatewayError("do_request_failed", { message }) };
  }
  const model = choice.channel.upstreamModelOf(namesOf(job));
  const place = { settings, key, trace: tries.trace ?? null };
  const way = videoWay(needs.vendors, place, { taskId: intent.id, model });
  if (!way) throw new GatewayError("model_not_found", { param: "model" });
  return await startOn(needs.starting, intent, choice, async () => ({
    operation: await way.facet.start(job, body, way.call),
  }));
}
