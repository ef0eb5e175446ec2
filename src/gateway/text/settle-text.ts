// The end of a text request: what it used, and what that costs.
import type { GatewayError } from "../../core/errors.ts";
import type { Origins } from "../../distribution/origins.ts";
import type { Observed } from "../../formats/format.ts";
import type { Usage } from "../../formats/usage.ts";
import type { OutcomeKind } from "../../observe/outcome.ts";
import { estimateUsage, usageText } from "../../quota/estimate.ts";
import type { Ledger } from "../../quota/ledger.ts";
import { textCost } from "../../quota/price.ts";
import { surchargeUseText } from "../../quota/surcharge-text.ts";
import type { RequestOutcome } from "../outcome.ts";
import type { Meter } from "./meter/meter.ts";
import type { TextJob } from "./text-job.ts";
import type { ServedText } from "./try-text.ts";

export interface SettleTextNeeds {
  ledger: Ledger;
  origins: Origins;
  meter: Meter;
  /** Settlements under way: a process that ends waits for them. */
  settling: Set<Promise<unknown>>;
}

interface TextEnd {
  served: ServedText;
  observed: Observed;
  kind: OutcomeKind;
  error: GatewayError | null;
  firstByteMs: number;
}

/** Charges what was delivered and finishes the call; resolves once that is written. */
export function settleText(needs: SettleTextNeeds, job: TextJob, end: TextEnd): Promise<unknown> {
  const { observed, kind, served } = end;
  const { choice, tally } = served;
  if (observed.origins.length > 0) {
    needs.origins.remember(job.input.call.caller.accountId, observed.origins, choice);
  }
  const reported = reportedUsage(end);
  if (reported) {
    tally.drop();
    return charge(needs, job, end, { usage: reported, isEstimated: false });
  }
  if (kind !== "ok" && !observed.usage && observed.outputTokensEstimate === 0) {
    tally.drop();
    return giveBack(needs, job, end);
  }
  // Counting takes its time, and the client may be gone already.
  const settled = countUsage(needs, job, end).then((usage) =>
    charge(needs, job, end, { usage, isEstimated: true }),
  );
  needs.settling.add(settled);
  return settled.finally(() => needs.settling.delete(settled));
}

/**
 * What the vendor told of everything that was delivered. In a stream that broke off its last report
 * may be from long before the end.
 */
function reportedUsage({ observed, kind }: TextEnd): Usage | null {
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
  { ledger }: SettleTextNeeds,
  job: TextJob,
  end: TextEnd,
  { usage, isEstimated }: Used,
): Promise<boolean> {
  const { surcharges } = job.price;
  const asked = { sent: end.served.sent, use: end.observed.use ?? null };
  const cost = textCost(job.price, usage, asked);
  const text = usageText(usage, isEstimated) + surchargeUseText(surcharges, usage, asked);
  const { charged, written } = ledger.post(job.reservation, cost, text);
  finish(job, end, { usage, isEstimated, micros: charged });
  return written;
}

/** A reply that brought nothing at all costs nothing. */
function giveBack({ ledger }: SettleTextNeeds, job: TextJob, end: TextEnd): Promise<boolean> {
  const written = ledger.void(job.reservation, end.error?.code ?? end.kind);
  finish(job, end, { usage: null, isEstimated: true, micros: 0 });
  return written;
}

function finish(
  { input }: TextJob,
  { kind, error, firstByteMs }: TextEnd,
  { usage, isEstimated, micros }: Pick<RequestOutcome, "usage" | "isEstimated" | "micros">,
): void {
  input.call.finish({
    kind,
    status: 200,
    errorCode: error?.code ?? null,
    usage,
    images: 0,
    isEstimated,
    micros,
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
  { meter }: SettleTextNeeds,
  { input, request }: TextJob,
  { served, observed }: TextEnd,
): Promise<Usage> {
  const [inputTokens, outputTokens] = await Promise.all([
    observed.usage?.inputTokens ?? meter.countRequest(input.format.name, input.body),
    served.tally.count(),
  ]);
  const estimate = estimateUsage(request, input.bodyBytes, observed.outputTokensEstimate);
  return {
    ...(observed.usage ?? nothing),
    inputTokens: inputTokens || estimate.inputTokens,
    outputTokens: outputTokens || estimate.outputTokens,
  };
}
