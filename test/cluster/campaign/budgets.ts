// Budgets near their ends, whose windows last two seconds: nobody passes them, and nobody is
// refused who need not be.
import { rootToken, type Gateway } from "../../harness/gateway.ts";
import type { Databases } from "./databases.ts";
import {
  answerMsMax,
  askOnce,
  flatMicros,
  holdMicrosMax,
  plainWish,
  runChatLane,
  type LoadNeeds,
} from "./load.ts";
import type { Payer } from "./seen.ts";

export interface NearBudget {
  id: string;
  name: string;
}

const [hardCount, stopCount] = [12, 9];
const ampleMicros = 1e12;
const windowMs = 2000;

/**
 * Budgets of one key: what is spent reaches the one that stops, what is held besides the hard one.
 * The one of the whole account must never refuse.
 */
const budgetsOf = (key: string) => [
  { name: "hard", mode: "hard", scope: "key", subject: key, limit_micros: hardCount * flatMicros },
  { name: "stop", mode: "stop", scope: "key", subject: key, limit_micros: stopCount * flatMicros },
  { name: "watch", mode: "watch", scope: "key", subject: key, limit_micros: flatMicros },
  { name: "ample", mode: "hard", limit_micros: ampleMicros },
];

/** Those of them that end. */
export async function addBudgets(
  gateway: Gateway,
  account: string,
  key: string,
): Promise<NearBudget[]> {
  const made: NearBudget[] = [];
  for (const budget of budgetsOf(key)) {
    const row = { ...budget, account };
    made.push(await gateway.control<NearBudget>("POST", "/api/budget", row));
  }
  return made.filter(({ name }) => name !== "ample");
}

/** Chats of the key alone that the budgets are for. */
export async function runBudgetLane(needs: LoadNeeds): Promise<void> {
  await runChatLane(needs, () => ({ payer: bound(needs), isLimited: true }));
}

function bound({ payers: [payer] }: LoadNeeds): Payer {
  if (!payer) throw new Error("there is nobody to pay");
  return payer;
}

/** Renewals: whoever is refused is served again in the next window. */
export async function runRenewals(needs: LoadNeeds, budgets: readonly NearBudget[]): Promise<void> {
  while (!needs.isOver()) {
    await Bun.sleep(windowMs);
    for (const { id } of budgets) {
      if (await send(needs, "POST", `${id}/renew`)) needs.seen.windows++;
    }
  }
}

async function send(
  { anyNode }: LoadNeeds,
  method: string,
  path: string,
  body: object = {},
): Promise<boolean> {
  try {
    const response = await fetch(`${anyNode()?.url ?? ""}/api/budget/${path}`, {
      method,
      headers: { authorization: `Bearer ${rootToken}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerMsMax),
    });
    const { success } = (await response.json()) as { success: boolean };
    return success;
  } catch {
    return false;
  }
}

/** Parts of the open hard window on nodes that have taken no turn since then. */
const strandedSql = `select s.granted_micros - s.spent_micros as micros, c.opened_at_ms,
    extract(epoch from clock_timestamp() - n.lease_until) * 1000 + n.ttl_ms as silent_ms,
    extract(epoch from clock_timestamp()) * 1000 as now_ms
  from cap_slice s join node n on n.id = s.node_id join cap c on c.id = s.cap_id
    join budget b on b.id = c.budget_id
  where b.name = 'hard' and n.state = 'live' and s.limited = 1
    and c.closes_at_ms > extract(epoch from clock_timestamp()) * 1000`;

export async function judgeBudget(
  databases: Databases,
  refusal: string,
  sinceMs: number,
): Promise<string | null> {
  if (refusal.includes('"stop"')) return null;
  if (!refusal.includes('"hard"')) return `refused by what refuses nothing: ${refusal}`;
  const rows = await databases.ask(strandedSql);
  const passedMs = performance.now() - sinceMs;
  const stranded = rows
    .filter((row) => Number(row["now_ms"]) - Number(row["opened_at_ms"]) > passedMs)
    .filter((row) => Number(row["silent_ms"]) > passedMs)
    .reduce((sum, row) => sum + Number(row["micros"]), 0);
  return stranded < holdMicrosMax ? null : `refused by "hard" with ${stranded} of it elsewhere`;
}

const triesMax = 60;
/** Nodes besides that hear of what was spent a turn late, as a budget that stops allows. */
const lateMax = 2;

/** At rest a window is spent to its end from any node, and no further. */
export async function spendBudgets(
  needs: LoadNeeds,
  budgets: readonly NearBudget[],
): Promise<string[]> {
  const payer = bound(needs);
  for (const { id } of budgets) await until(() => send(needs, "POST", `${id}/renew`));
  const wish = { ...plainWish, isLimited: true };
  const spend = async () => {
    for (let served = 0, tries = 0; tries < triesMax; tries++) {
      const status = await askOnce(needs, payer, wish);
      if (status === "200") served++;
      if (status === "402") return served;
    }
    return -1;
  };
  const stopped = await spend();
  const stop = budgets.find(({ name }) => name === "stop")?.id ?? "";
  await until(() => send(needs, "PATCH", stop, { status: "disabled" }));
  const filled = await spend();
  const isStopped = stopped >= stopCount && stopped <= stopCount + lateMax;
  return isStopped && stopped + filled === hardCount
    ? []
    : [`budgets for ${stopCount} and ${hardCount} in all served ${stopped} and ${filled}`];
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < triesMax; tries++) {
    if (await isDone()) return await Bun.sleep(windowMs / 2);
    await Bun.sleep(windowMs / 10);
  }
  throw new Error("the budgets cannot be changed");
}
