// The plan of a month: who asks for what and when. It follows from the seed and the last moment.
import { Chance } from "./chance.ts";
import { people, type KeyPlan } from "./company.ts";
import { organisations } from "./organisations.ts";
import { works, type Ask, type Work } from "./work.ts";
import type { Manner } from "./vendors.ts";

export const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;
const quickJob = "sandbox:seconds=60";
const failingJob = `${quickJob} sandbox:fail`;
const payers: readonly { account: string; keys: readonly KeyPlan[] }[] = [
  ...people.map(({ username, keys }) => ({ account: username, keys })),
  ...organisations.map(({ name, keys }) => ({ account: name, keys })),
];
/** A name that nobody serves. */
const absentModel = "gpt-6";

export interface Act {
  atMs: number;
  /** The account that pays: a person's, or an organisation's. */
  account: string;
  keyName: string;
  ask: Ask;
  manner: Manner;
  /** The client leaves amid the stream. */
  isLeaving: boolean;
}

export interface PlanAsk {
  seed: string;
  /** The last moment of the month, on the wall clock. */
  endMs: number;
  days: number;
  /** Share of everybody's work, from 0 to 1. */
  share: number;
}

/** The working day on which a vendor was down, counted back from the end. */
const outageDaysBack = 8;
const outage = { fromHour: 13, untilHour: 15 };

export function planMonth(ask: PlanAsk): Act[] {
  const { seed, endMs, days } = ask;
  const acts = payers.flatMap(({ account, keys }) =>
    keys.flatMap((key) => {
      const chance = new Chance(`${seed} ${account} ${key.name}`);
      return Array.from({ length: days }, (_, at) => startOfDay(endMs) - at * dayMs).flatMap(
        (day) =>
          momentsOn(day, key, chance, ask.share).map((atMs) =>
            actAt(atMs, { account, key, chance, endMs }),
          ),
      );
    }),
  );
  return [...acts, ...landmarks(ask)]
    .filter(({ atMs }) => atMs < endMs)
    .toSorted((one, other) => one.atMs - other.atMs);
}

/** Events that every month has, however short it is and whatever chance says. */
function landmarks({ seed, endMs }: PlanAsk): Act[] {
  const chance = new Chance(`${seed} landmarks`);
  const yesterday = startOfDay(endMs) - dayMs;
  const lastHour = (endMs - yesterday) / hourMs;
  const done = (account: string, work: Work, hour: number, job = quickJob): Act => {
    const key = keyOf(account, work);
    const act = actAt(yesterday + hour * hourMs, { account, key, chance, endMs });
    const ask = works[work](chance);
    return { ...act, ask, manner: { ...act.manner, failing: {}, job }, isLeaving: false };
  };
  const refused = (act: Act) => ({ ...act, ask: askAbsent(act.ask) });
  const down = (work: Work, account: string, minute: number) => {
    const atMs = outageDay(endMs) + outage.fromHour * hourMs + minute * minuteMs;
    return {
      ...actAt(atMs, { account, key: keyOf(account, work), chance, endMs }),
      isLeaving: false,
    };
  };
  return [
    ...[10, 25, 40, 55].map((minute) => down("claudeCode", "wei.chen", minute)),
    ...[14, 44].map((minute) => down("letters", "oksana.koval", minute)),
    done("emil.lindqvist", "films", 9.7),
    done("emil.lindqvist", "films", 11.3, failingJob),
    done("emil.lindqvist", "films", 15.4),
    done("hana.sato", "pictures", 10.1),
    done("hana.sato", "pictures", 14.6),
    done("north-pier-films", "films", 10.6),
    done("north-pier-films", "letters", lastHour - 2.2),
    done("ferry-app", "review", 13.4),
    done("ferry-app", "supportBot", lastHour - 3.4),
    refused(done("pavel.novak", "letters", 9.2)),
    refused(done("north-pier-films", "letters", lastHour - 1.6)),
  ];
}

function keyOf(account: string, work: Work): KeyPlan {
  const payer = payers.find((one) => one.account === account);
  const key = payer?.keys.find((one) => one.work === work);
  if (!key) throw new Error(`${account} has no key for ${work}`);
  return key;
}

export function startOfDay(atMs: number): number {
  return atMs - (atMs % dayMs);
}

/** The last day that is no weekend, so many days before the end or more. */
export function outageDay(endMs: number): number {
  let day = startOfDay(endMs) - outageDaysBack * dayMs;
  while (isWeekend(day)) day -= dayMs;
  return day;
}

function isWeekend(day: number): boolean {
  return [0, 6].includes(new Date(day).getUTCDay());
}

function momentsOn(day: number, key: KeyPlan, chance: Chance, share: number): number[] {
  const calm = isWeekend(day) ? (key.isAlways ? 0.45 : 0.04) : 1;
  const wanted = key.daily * calm * share * (0.7 + chance.part() * 0.6);
  const count = Math.floor(wanted) + (chance.isWithin(wanted % 1) ? 1 : 0);
  return Array.from({ length: count }, () => {
    const withinMs = chance.between(0, minuteMs - 1);
    return day + minuteOf(key, chance) * minuteMs + withinMs;
  });
}

/** Reports run at night, programs around the clock, people from eight to seven with a lunch. */
function minuteOf({ work, isAlways }: KeyPlan, chance: Chance): number {
  if (work === "nightlyReport") return chance.between(120, 175);
  if (isAlways && chance.isWithin(0.35)) return chance.between(0, 1439);
  const morning = chance.isWithin(0.48);
  return morning ? chance.between(8 * 60, 12 * 60 + 20) : chance.between(13 * 60, 18 * 60 + 40);
}

interface ActOf {
  account: string;
  key: KeyPlan;
  chance: Chance;
  endMs: number;
}

function actAt(atMs: number, { account, key, chance, endMs }: ActOf): Act {
  const ask = spoiled(works[key.work](chance), chance);
  return {
    atMs,
    account,
    keyName: key.name,
    ask,
    manner: mannerOf(atMs, endMs, chance),
    isLeaving: "stream" in ask.body && chance.isWithin(0.012),
  };
}

/** Now and then a client asks for what is not there, or forgets a field. */
function spoiled(ask: Ask, chance: Chance): Ask {
  if (!ask.path.startsWith("/v1/chat") || !chance.isWithin(0.012)) return ask;
  if (chance.isWithin(0.5)) return askAbsent(ask);
  return { ...ask, body: { model: ask.model } };
}

function askAbsent(ask: Ask): Ask {
  return { ...ask, model: absentModel, body: { ...ask.body, model: absentModel } };
}

function mannerOf(atMs: number, endMs: number, chance: Chance): Manner {
  const job = `sandbox:seconds=${chance.between(40, 110)}${chance.isWithin(0.14) ? " sandbox:fail" : ""}`;
  return {
    firstMs: chance.between(280, 1900),
    restMs: chance.between(900, 9000),
    failing: { ...flaky(chance), ...down(atMs, endMs) },
    job,
  };
}

function flaky(chance: Chance): Record<string, number> {
  if (chance.isWithin(0.06)) return { deepseek: chance.one([429, 503]) };
  if (chance.isWithin(0.01)) return { "anthropic-eu": 500, google: 500 };
  return {};
}

function down(atMs: number, endMs: number): Record<string, number> {
  const hour = (atMs - outageDay(endMs)) / hourMs;
  if (hour < outage.fromHour || hour >= outage.untilHour) return {};
  return { anthropic: 503, "anthropic-eu": 503 };
}
