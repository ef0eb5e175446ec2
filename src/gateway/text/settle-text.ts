// The end of a text request: what it used, what that costs, and what may have been used besides.
import { mayThink } from "../../catalogue/rules/unasked.ts";
import type { GatewayError } from "../../core/errors.ts";
import { micros, zeroMicros, type Micros } from "../../core/money.ts";
import type { Channel } from "../../distribution/channel.ts";
import { judgeUsage, noteMissingUsage, type UsageDoubtNeeds } from "../../distribution/doubts.ts";
import type { Origins } from "../../distribution/origins.ts";
import type { Observed } from "../../formats/format.ts";
import { isNoAnswer } from "../../formats/kit/emptiness.ts";
import { noSurcharges } from "../../formats/surcharge.ts";
import type { Usage } from "../../formats/usage.ts";
import type { OutcomeKind } from "../../observe/outcome.ts";
import { errorFields } from "../outcome.ts";
import { usageText, type UsageMark } from "../../quota/estimate.ts";
import type { AccountBalance } from "../../quota/balance.ts";
import { clampUsage, isBelievable, withThoughtsDelivered } from "../../quota/plausible.ts";
import { cacheSaving, textCost } from "../../quota/price.ts";
import type { Prices } from "../../quota/prices.ts";
import { surchargeUseText } from "../../quota/surcharge-text.ts";
import { countText, hasUsed, withThoughts } from "./count-text.ts";
import { changesBound } from "./mend/mend-bound.ts";
import type { Meter } from "./meter/meter.ts";
import { answeredText, asAnswered, servedText } from "./paid-model.ts";
import type { TextJob } from "./text-job.ts";
import { noBill, type Bill } from "../bill.ts";
import type { ServedText } from "./judge-text.ts";
import { noteWaste, type WasteNeeds } from "./waste.ts";
import { checkLowReport, needsCount } from "./weigh-usage.ts";

export interface SettleTextNeeds extends WasteNeeds {
  origins: Origins;
  meter: Meter;
  doubts: UsageDoubtNeeds;
  /** Told of what a vendor claims and nobody is charged for. */
  clamped(channel: Channel, accountId: string, micros: number): void;
  /** Told of what was delivered and the wallet did not pay for. */
  overran(account: AccountBalance, micros: number): void;
  /** Settlements under way: a process that ends waits for them. */
  settling: Set<Promise<unknown>>;
  prices: Prices;
}

interface TextEnd {
  served: ServedText;
  observed: Observed;
  kind: OutcomeKind;
  /** The vendor's answer came to its end, whether or not somebody still waited for it. */
  isWhole: boolean;
  error: GatewayError | null;
  firstByteMs: number;
  /** Told what is charged before that is written; usage is null where nothing is. */
  show(usage: Usage | null, bill: Bill, isEstimated: boolean): void;
  /** It was ended here, because what was delivered costs more than there is. */
  isCutShort?: boolean;
}

/** Charges what was used and finishes the call; resolves once that is written. */
export function settleText(
  needs: SettleTextNeeds,
  opened: TextJob,
  end: TextEnd,
): Promise<unknown> {
  const job = asAnswered(needs, opened, end);
  const { observed, isWhole, served } = end;
  const { choice, tally } = served;
  if (observed.origins.length > 0) {
    const maker = { ...choice, model: job.chain ? job.request.model : null };
    needs.origins.remember(job.input.call.caller, observed.origins, maker);
  }
  if (isNoAnswer(observed, job.request)) {
    tally.drop();
    noteWaste(needs, job, observed);
    return giveBack(needs, job, end);
  }
  const reported = reportedUsage(end);
  if (reported) {
    if (needsCount(reported, observed, job.bound)) return weighAndCharge(needs, job, end, reported);
    watchReport(needs, job, end, reported);
    return charge(needs, job, end, { usage: reported, isEstimated: false });
  }
  if (!isWhole && !hasUsed(observed)) {
    tally.drop();
    return giveBack(needs, job, end);
  }
  return countAndCharge(needs, job, end);
}

/** Counting takes its time, and the client may be gone already. */
function countAndCharge(needs: SettleTextNeeds, job: TextJob, end: TextEnd): Promise<unknown> {
  const settled = countText(needs.meter, job, end).then((usage) =>
    charge(needs, job, end, { usage, isEstimated: true }),
  );
  return whileSettling(needs, settled);
}

function whileSettling(needs: SettleTextNeeds, settled: Promise<unknown>): Promise<unknown> {
  needs.settling.add(settled);
  return settled.finally(() => needs.settling.delete(settled));
}

/** Finds out behind the charge whether the vendor reports far less than it delivers. */
function watchReport(
  needs: SettleTextNeeds,
  { request: { model } }: TextJob,
  { served: { tally, choice }, observed }: TextEnd,
  reported: Usage,
): void {
  const source = { channel: choice.channel, model, nowMs: needs.doubts.clock.monotonicMs() };
  const reply = { tally, estimate: observed.outputTokensEstimate };
  const checking = checkLowReport(source, reported, reply);
  if (checking) void whileSettling(needs, checking);
}

/** The count of what was delivered decides what is charged. */
function weighAndCharge(
  needs: SettleTextNeeds,
  job: TextJob,
  end: TextEnd,
  reported: Usage,
): Promise<unknown> {
  const settled = end.served.tally.count().then(async (deliveredTokens) => {
    if (reported.outputTokens > 0 || deliveredTokens === 0) {
      return charge(needs, job, end, { usage: reported, isEstimated: false, deliveredTokens });
    }
    if (!end.observed.isOutputUntold) noteMissingUsage(needs.doubts, end.served.choice.channel);
    // Input that is told as nothing is as little told as the output.
    const usage = reported.inputTokens === 0 ? null : reported;
    const { served, observed } = end;
    const counted = await countText(needs.meter, job, { served, observed: { ...observed, usage } });
    return charge(needs, job, end, { usage: counted, isEstimated: true });
  });
  return whileSettling(needs, settled);
}

/**
 * The vendor's usage report of everything that was delivered. In a stream that broke off its last
 * report may be from long before the end.
 */
function reportedUsage({ observed, isWhole }: TextEnd): Usage | null {
  const { usage, outputTokensEstimate } = observed;
  const isOutdated = usage !== null && usage.outputTokens * 2 < outputTokensEstimate;
  return !isWhole && isOutdated ? null : usage;
}

interface Used {
  usage: Usage;
  /** Counted here, because the vendor did not say. */
  isEstimated: boolean;
  /** Tokens counted in the answer, where the count decides over the vendor's report. */
  deliveredTokens?: number;
}

function charge(
  needs: SettleTextNeeds,
  job: TextJob,
  end: TextEnd,
  { usage: seen, isEstimated, deliveredTokens = 0 }: Used,
): Promise<boolean> {
  const { ledger, doubts, clamped: noteClamped } = needs;
  const isUnseen = isEstimated || end.observed.isOutputUntold === true;
  const isLeft = end.kind === "client_abort" && !end.isWhole;
  const claimed = isLeft && isUnseen ? withThoughts(job, seen) : seen;
  const most = clampUsage(claimed, job.bound);
  const { channel } = end.served.choice;
  const thinks = thinksOn(channel, job, end);
  // Count output that the vendor sent past its bound: it was delivered until the wallet was empty.
  const usage =
    end.isCutShort && isEstimated
      ? { ...most, outputTokens: claimed.outputTokens }
      : withThoughtsDelivered({ usage: claimed, clamped: most, thinks }, deliveredTokens);
  const isBelieved =
    isEstimated || isBelievable(claimed, most, thinks) || isUnbounded(channel, claimed, most);
  if (!isEstimated) judgeUsage(doubts, channel, isBelieved);
  const { use = null, images = 0 } = end.observed;
  const sent = { sent: end.served.sent, use, images };
  const cost = textCost(job.price, usage, sent);
  const mark: UsageMark = isEstimated ? "~" : isBelieved ? "" : "!";
  const beyond = claimed === usage ? 0 : textCost(job.price, claimed, sent) - cost;
  if (beyond > 0) noteClamped(channel, job.input.call.caller.accountId, beyond);
  const loss = end.isWhole ? beyond : Math.max(beyond, job.reservation.micros - cost);
  const text =
    usageText(usage, mark) +
    surchargeUseText(job.price.surcharges, usage, sent) +
    answeredText(job.price) +
    servedText(job);
  const costMicros = textCost(costPriceOf(needs, job, channel), usage, sent);
  const saved = cacheSaving(job.price, { usage, sent }, cost);
  const due = { cost, saved, costMicros, text, loss: asLoss(loss), usage, isEstimated };
  // The part past the hold may have to come from another node first.
  const isPast = cost > job.reservation.micros;
  const stretching = isPast ? ledger.stretch(job.reservation, cost) : null;
  return stretching
    ? stretching.then(() => book(needs, job, end, due))
    : book(needs, job, end, due);
}

type Due = Used & {
  cost: Micros;
  saved: Micros;
  costMicros: Micros;
  text: string;
  loss: Micros;
};

/** The vendor's own price of what is charged. */
function costPriceOf({ prices }: SettleTextNeeds, job: TextJob, channel: Channel) {
  const { price, request, reservation } = job;
  const { surcharges: priced } = price;
  const surcharges = priced.length > 0 ? priced.map(({ surcharge }) => surcharge) : noSurcharges;
  const { atMs } = reservation;
  return prices.cost(request.model, channel.costAt(atMs), { surcharges, atMs });
}

function book(
  { ledger, overran }: SettleTextNeeds,
  job: TextJob,
  end: TextEnd,
  due: Due,
): Promise<boolean> {
  const { cost, saved, text, loss } = due;
  const { charged, written } = ledger.post(job.reservation, cost, text, loss);
  const isUntold = due.isEstimated || end.observed.isOutputUntold === true;
  end.show(due.usage, { charged, saved }, isUntold);
  if (charged < cost) overran(job.reservation.account, cost - charged);
  finish(job, end, due, charged);
  return written;
}

/** Thoughts were seen, or the model's name says that it may have thought. */
function thinksOn(channel: Channel, { request }: TextJob, { observed }: TextEnd): boolean {
  return observed.hasThought === true || mayThink(channel.upstreamModel(request.model));
}

/** An operator may have taken the bound away, so that the vendor could not keep to it. */
function isUnbounded({ settings }: Channel, claimed: Usage, usage: Usage): boolean {
  const { parametersSet, parametersRemoved } = settings;
  const isInput = claimed.inputTokens > usage.inputTokens;
  return !isInput && changesBound([...Object.keys(parametersSet), ...parametersRemoved]);
}

/** Usage the vendor may have had besides, which nobody will ever tell. */
function asLoss(amount: number): Micros {
  return amount > 0 ? micros(amount) : zeroMicros;
}

/**
 * A reply that brought nothing at all costs nothing. Where the client did not wait for it, nobody
 * knows what it would have brought, and the vendor may charge for it.
 */
function giveBack({ ledger }: SettleTextNeeds, job: TextJob, end: TextEnd): Promise<boolean> {
  const { reservation } = job;
  end.show(null, noBill, false);
  const isUnheard = end.kind === "client_abort" && !end.observed.isEmpty;
  const loss = isUnheard ? reservation.micros : zeroMicros;
  const written = ledger.void(reservation, end.error?.code ?? end.kind, loss);
  finish(job, end, nothingUsed, zeroMicros);
  return written;
}

const nothingUsed = { usage: null, isEstimated: true, costMicros: null };

function finish(
  { input }: TextJob,
  { kind, error, firstByteMs, observed }: TextEnd,
  { usage, isEstimated, costMicros }: Due | typeof nothingUsed,
  charged: Micros,
): void {
  input.call.finish({
    kind,
    status: error?.code === "client_closed_request" ? 499 : 200,
    ...errorFields(error),
    usage,
    images: usage === null ? 0 : (observed.images ?? 0),
    isEstimated,
    micros: charged,
    costMicros,
    firstByteMs,
  });
}
