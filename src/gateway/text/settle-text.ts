// The end of a text request: what it used, what that costs, and who is told.
import type { GatewayError } from "../../core/errors.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { Origins } from "../../distribution/origins.ts";
import type { Observed, TextRequest } from "../../formats/format.ts";
import type { Usage } from "../../formats/usage.ts";
import type { RequestOutcome } from "../../observe/outcome.ts";
import { estimateUsage, usageText } from "../../quota/estimate.ts";
import type { Ledger } from "../../quota/ledger.ts";
import { textCost } from "../../quota/price.ts";
import type { Lease, Progress } from "../attempt.ts";
import type { Meter } from "./meter/meter.ts";
import { kindOfError, type TextOutcome } from "../outcome.ts";
import type { TextJob } from "./open-text.ts";
import type { StreamEnd } from "./relay.ts";
import type { ServedText } from "./try-text.ts";

export interface SettleParts {
  ledger: Ledger;
  origins: Origins;
  meter: Meter;
  /** Settlements under way: a process that ends waits for them. */
  settling: Set<Promise<void>>;
}

export interface Settlement {
  lease: Lease<ServedText>;
  observed: Observed;
  kind: RequestOutcome;
  error: GatewayError | null;
  firstByteMs: number;
}

export async function settleText(
  parts: SettleParts,
  job: TextJob,
  settlement: Settlement,
): Promise<void> {
  if (toldUsage(settlement)) return await settle(parts, job, settlement);
  // Counting takes its time, and the client may be gone already.
  const settled = settle(parts, job, settlement);
  parts.settling.add(settled);
  await settled.finally(() => parts.settling.delete(settled));
}

/**
 * What the vendor told of everything that was delivered. In a stream that broke off its last report
 * may be from long before the end.
 */
function toldUsage({ observed, kind }: Settlement): Usage | null {
  const { usage, outputTokensEstimate } = observed;
  const isOutdated = usage !== null && usage.outputTokens * 2 < outputTokensEstimate;
  return kind !== "ok" && isOutdated ? null : usage;
}

/** Charges what was delivered; a reply that brought nothing at all costs nothing. */
async function settle(parts: SettleParts, job: TextJob, settlement: Settlement): Promise<void> {
  const { observed, lease, kind, error } = settlement;
  const { choice, tally } = lease.value;
  if (observed.origins.length > 0) {
    parts.origins.remember(job.call.caller.accountId, observed.origins, choice);
  }
  const isNothing = kind !== "ok" && !observed.usage && observed.outputTokensEstimate === 0;
  const told = toldUsage(settlement);
  const isEstimated = told === null;
  if (!isEstimated || isNothing) tally.drop();
  const usage = told ?? (isNothing ? nothing : await countUsage(parts, job, settlement));
  const { micros, written } = isNothing
    ? { micros: 0, written: parts.ledger.void(job.reservation, error?.code ?? kind) }
    : post(parts, job, usage, isEstimated);
  const { admission, ended } = job.call;
  admission.spend(usage.inputTokens + usage.outputTokens);
  admission.release();
  ended({
    kind,
    status: 200,
    errorCode: error?.code ?? null,
    model: job.request.model,
    stream: job.request.stream,
    channel: nameOf(lease.channel),
    usage: isNothing ? null : usage,
    isEstimated,
    micros,
    attempts: lease.attempts,
    firstByteMs: settlement.firstByteMs,
  });
  await written;
}

const nothing: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

/** The vendor did not say, so what was sent and what came back is counted here. */
async function countUsage(
  { meter }: SettleParts,
  { call, request }: TextJob,
  { lease, observed }: Settlement,
): Promise<Usage> {
  const [inputTokens, outputTokens] = await Promise.all([
    observed.usage?.inputTokens ?? meter.countRequest(call.format.name, call.body),
    lease.value.tally.count(),
  ]);
  const estimate = estimateUsage(request, call.bodyBytes, observed.outputTokensEstimate);
  return {
    ...(observed.usage ?? nothing),
    inputTokens: inputTokens || estimate.inputTokens,
    outputTokens: outputTokens || estimate.outputTokens,
  };
}

function post(
  { ledger }: SettleParts,
  { price, reservation }: TextJob,
  usage: Usage,
  isEstimated: boolean,
): { micros: number; written: Promise<boolean> } {
  const cost = textCost(price, usage);
  const { charged, written } = ledger.post(reservation, cost, usageText(usage, isEstimated));
  return { micros: charged, written };
}

/** Estimates are rough, so only what is far past its bound is weighed against the money left. */
const estimateSlack = 4;

export function isSpent(ledger: Ledger, job: TextJob, outputTokens: number): boolean {
  const { call, request, price, reservation, outputTokensMax } = job;
  if (outputTokens <= outputTokensMax * estimateSlack) return false;
  const used = textCost(price, estimateUsage(request, call.bodyBytes, outputTokens));
  return used > reservation.micros + ledger.spareMicros(reservation);
}

export function kindOfEnd(end: StreamEnd): RequestOutcome {
  if (end.kind === "complete") return "ok";
  return end.kind === "broken" ? "upstream_error" : "client_abort";
}

export function failedOutcome(
  error: GatewayError,
  request: TextRequest | null,
  progress: Progress | null,
): TextOutcome {
  return {
    kind: kindOfError(error),
    status: error.status,
    errorCode: error.code,
    model: request?.model ?? "",
    stream: request?.stream ?? false,
    channel: progress?.channel ? nameOf(progress.channel) : null,
    usage: null,
    isEstimated: false,
    micros: 0,
    attempts: progress?.attempts ?? 0,
    firstByteMs: null,
  };
}

function nameOf({ settings }: Channel): { id: string; name: string } {
  return { id: settings.id, name: settings.name };
}
