// The words for money that does not reach: what is needed, what is left, and what to do.
import { GatewayError } from "../core/errors.ts";
import { dollarText, microsMax } from "../core/money.ts";
import { WallClock } from "../core/week/wall-clock.ts";
import type { AccountBalance, KeyBalance } from "./balance.ts";
import type { CapBalance, ShortageWords } from "./cap.ts";

/** Refusal for want of money, with what there was when it was decided. */
export class Shortage extends GatewayError {
  readonly roomMicros: number;

  constructor(refusal: GatewayError, roomMicros: number) {
    super(refusal.code, refusal.details);
    this.roomMicros = roomMicros;
  }
}

interface Wanted {
  micros: number;
  /** The client's field that bounds what the request can cost; null where nothing does. */
  lower?: string | null;
  shortageWords?: ShortageWords | undefined;
}

/** The key's own limit would be passed. */
export function shortOfKey(wanted: Wanted, key: KeyBalance): GatewayError {
  const left = Math.max(0, (key.limitMicros ?? 0) - key.spentMicros - key.heldMicros);
  const has = `this API key has ${dollarText(left)} left of its limit`;
  return refuse("insufficient_quota", wanted, {
    found: has + heldBy(key.heldMicros),
    mend: "raise the key's limit",
  });
}

export function shortOfAccount(wanted: Wanted, account: AccountBalance): GatewayError {
  if (wanted.micros >= microsMax) {
    const problem = "no account can hold that much";
    return refuse("insufficient_user_quota", wanted, { found: problem, mend: "ask for less" });
  }
  if (wanted.shortageWords?.hidesAccount) {
    const has = "your organisation has not enough left for it";
    return refuse("insufficient_user_quota", wanted, {
      found: has,
      mend: "ask it for more credit",
    });
  }
  const left = Math.max(0, account.availableMicros);
  const has = `this account has ${dollarText(left)} left`;
  return refuse("insufficient_user_quota", wanted, {
    found: has + heldBy(account.heldMicros),
    mend: "add credit",
  });
}

const hourMs = 3_600_000;

/** A budget's limit would be passed, or is reached; `param` is the budget's name. */
export function shortOfCap(wanted: Wanted, cap: CapBalance, nowMs: number): GatewayError {
  const { closesAtMs, whole } = cap;
  const { shortageWords } = wanted;
  const isUntold = shortageWords?.unnamed?.has(cap.budgetId) === true;
  const name = isUntold ? "" : cap.name;
  const zone = shortageWords?.zones?.get(cap.budgetId) ?? "UTC";
  const figures = whole ?? cap;
  const budget = name === "" ? "A budget" : `The budget "${name}"`;
  const state = isUntold ? untoldState(wanted, figures) : stateOf(wanted, cap, figures);
  const leftMs = closesAtMs === null ? Infinity : Math.max(0, closesAtMs - nowMs);
  const renewal = closesAtMs === null ? "" : ` It starts anew on ${momentText(closesAtMs, zone)}.`;
  return new GatewayError("budget_exceeded", {
    message: `${budget} ${state}.${renewal}`,
    ...(isUntold && { operatorMessage: operatorMessage(wanted, cap, renewal) }),
    ...(name !== "" && { param: name }),
    ...(leftMs <= hourMs && { retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) }),
  });
}

/** The name of the budget and its sums, which a member of an organisation is not told. */
function operatorMessage(wanted: Wanted, cap: CapBalance, renewal: string): string {
  return `The budget "${cap.name}" ${stateOf(wanted, cap, cap.whole ?? cap)}.${renewal}`;
}

type Figures = Pick<CapBalance, "spentMicros" | "limitMicros">;

function stateOf(wanted: Wanted, cap: CapBalance, { spentMicros, limitMicros }: Figures): string {
  if (spentMicros >= limitMicros) {
    return `is spent: ${dollarText(spentMicros)} of ${dollarText(limitMicros)}`;
  }
  const left = `${leftOf(cap)} left of ${dollarText(limitMicros)}${heldBy(cap.heldMicros)}`;
  return `has ${left}, and the request can cost up to ${dollarText(wanted.micros)}`;
}

/** The share alone, and no sums: a member could work out of them what all the others spend. */
function untoldState({ micros }: Wanted, { spentMicros, limitMicros }: Figures): string {
  if (spentMicros >= limitMicros) return "of your organisation is spent";
  const percent = Math.floor((spentMicros / limitMicros) * 100);
  const cost = `the request, which can cost up to ${dollarText(micros)}`;
  return `of your organisation is spent to ${percent} %, and has not enough left for ${cost}`;
}

function leftOf({ limitMicros, spentMicros, heldMicros }: CapBalance): string {
  return dollarText(Math.max(0, limitMicros - spentMicros - heldMicros));
}

/** To the minute, as people of the zone say it. */
function momentText(atMs: number, zone: string): string {
  const reading = new Date(new WallClock(zone).readingAt(atMs));
  return `${reading.toISOString().slice(0, 16).replace("T", " ")} ${zone}`;
}

function heldBy(heldMicros: number): string {
  return heldMicros > 0 ? ` (${dollarText(heldMicros)} is held for what is running)` : "";
}

function refuse(
  code: "insufficient_quota" | "insufficient_user_quota",
  { micros, lower = null }: Wanted,
  { found: problem, mend }: { found: string; mend: string },
): GatewayError {
  const advice = lower === null ? `Please ${mend}` : `Lower ${lower}, or ${mend}`;
  const cost = `the request can cost up to ${dollarText(micros)}`;
  const message = `Not enough quota: ${cost}, and ${problem}. ${advice}.`;
  return new GatewayError(code, { message, ...(lower !== null && { param: lower }) });
}
