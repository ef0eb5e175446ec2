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
import type { StreamEnd } from "../stream/relay.ts";
import type { ServedText } from "./try-text.ts";

export interface SettleParts {
  ledger: Ledger;
  origins: Origins;
  meter: Meter;
  /** Settlements under way: a process that ends waits for them. */
  settling: Set<Promise<unknown>>;
}

export interface Settlement {
  lease: Lease<ServedText>;
  observed: Observed;
  kind: RequestOutcome;
  error: GatewayError | null;
  firstByteMs: number;
}

/** Charges what was delivered, and resolves once that is written. */
export function settleText(
  parts: SettleParts,
  job: TextJob,
  settlement: Settlement,
): Promise<unknown> {
  const { observed, lease, kind } = settlement;
  const { choice, tally } = lease.value;
  if (observed.origins.length > 0) {
    parts.origins.remember(job.call.caller.accountId, observed.origins, choice);
  }
  const told = toldUsage(settlement);
  if (told) {
    tally.drop();
    return charge(parts, job, settlement, { usage: told, isEstimated: false });
  }
  if (kind !== "ok" && !observed.usage && observed.outputTokensEstimate === 0) {
    tally.drop();
    return giveBack(parts, job, settlement);
  }
  // Counting takes its time, and the client may be gone already.
  const settled = countUsage(parts, job, settlement).then((usage) =>
    charge(parts, job, settlement, { usage, isEstimated: true }),
  );
  parts.settling.add(settled);
  return settled.finally(() => parts.settling.delete(settled));
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

interface Used {
  usage: Usage;
  /** Counted here, because the vendor did not say. */
  isEstimated: boolean;
}

function charge(
  { ledger }: SettleParts,
  job: TextJob,
  settlement: Settlement,
  { usage, isEstimated }: Used,
): Promise<boolean> {
  const cost = textCost(job.price, usage);
  const text = usageText(usage, isEstimated);
  const { charged, written } = ledger.post(job.reservation, cost, text);
  job.call.admission.spend(usage.inputTokens + usage.outputTokens);
  tell(job, settlement, { usage, isEstimated, micros: charged });
  return written;
}

/** A reply that brought nothing at all costs nothing. */
function giveBack({ ledger }: SettleParts, job: TextJob, settlement: Settlement): Promise<boolean> {
  const { error, kind } = settlement;
  const written = ledger.void(job.reservation, error?.code ?? kind);
  tell(job, settlement, { usage: null, isEstimated: true, micros: 0 });
  return written;
}

function tell(
  { call, request }: TextJob,
  { lease, kind, error, firstByteMs }: Settlement,
  { usage, isEstimated, micros }: Pick<TextOutcome, "usage" | "isEstimated" | "micros">,
): void {
  call.admission.release();
  call.ended({
    kind,
    status: 200,
    errorCode: error?.code ?? null,
    model: request.model,
    stream: request.stream,
    channel: nameOf(lease.channel),
    usage,
    isEstimated,
    micros,
    attempts: lease.attempts,
    firstByteMs,
  });
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
