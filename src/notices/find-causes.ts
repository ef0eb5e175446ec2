// Causes that need a person now, by the tables that all nodes share: money, keys of vendors,
// callbacks.
import type { NoticeKind } from "../config/notices.ts";
import type { AccountId } from "../core/ids.ts";
import { dollarText } from "../core/money.ts";
import type { Letter } from "../mail/letter.ts";
import type { Database } from "../store/database.ts";
import { causesMax, type Cause } from "./notice.ts";
import { findMarkedWindows } from "./find-marks.ts";
import { findWindowLimits } from "./find-window-limits.ts";
import {
  readDeadKeys,
  readFailingAddresses,
  readLowAccounts,
  readLowKeys,
  readOwnLowAccounts,
} from "./queries.ts";

export interface Marks {
  rules: {
    readonly lowBalanceMicros: number;
    readonly lowKeyPercent: number;
    readonly webhookTries: number;
  };
  /** Whether anybody is told of it. */
  isWanted(kind: NoticeKind): boolean;
}

export async function findCauses(
  database: Database,
  marks: Marks,
  nowMs: number,
): Promise<Cause[]> {
  const [accounts, keys, windows, limits, dead, failing] = await Promise.all([
    findLowAccounts(database, marks),
    findLowKeys(database, marks, nowMs),
    findMarkedWindows(database, marks.isWanted("budget_mark"), nowMs),
    findWindowLimits(database, nowMs),
    findDeadKeys(database),
    findFailingAddresses(database, marks.rules.webhookTries),
  ]);
  return [...accounts, ...keys, ...windows, ...limits, ...dead, ...failing];
}

async function findLowAccounts(database: Database, marks: Marks): Promise<Cause[]> {
  const { rules, isWanted } = marks;
  const { lowBalanceMicros } = rules;
  const isWatched = lowBalanceMicros > 0 && isWanted("low_balance");
  const [forAdmins, own] = await Promise.all([
    isWatched ? readLowAccounts(database, lowBalanceMicros, causesMax) : [],
    readOwnLowAccounts(database, causesMax),
  ]);
  return [
    ...forAdmins.map((row) => lowAccount(row, false)),
    ...own.map((row) => ({
      ...lowAccount(row, true),
      letter: letterOf(row),
      isUncalled: row.notice_url === null,
    })),
  ];
}

function letterOf({ username: name, left_micros: left }: LowAccount): Letter {
  return { kind: "low_balance", facts: { name, left: dollarText(Math.max(0, left)) } };
}

interface LowAccount {
  id: AccountId;
  username: string;
  left_micros: number;
}

function lowAccount({ id, username, left_micros: left }: LowAccount, isOwn: boolean): Cause {
  return {
    cause: `${isOwn ? "own_" : ""}low_balance:${id}`,
    kind: "low_balance",
    accountId: id,
    isOwn,
    text: `The account ${username} has ${dollarText(Math.max(0, left))} left.`,
    details: { account: username, left_micros: left },
  };
}

async function findLowKeys(database: Database, marks: Marks, nowMs: number): Promise<Cause[]> {
  const percent = marks.rules.lowKeyPercent;
  if (percent === 0) return [];
  const rows = await readLowKeys(database, { percent, nowMs, most: causesMax });
  return rows.flatMap((row): Cause[] => {
    const left = Math.max(0, row.left_micros);
    const cause = {
      kind: "low_key" as const,
      accountId: row.account_id,
      text: `The key ${row.name} of ${row.username} has ${dollarText(left)} left of its limit.`,
      details: { account: row.username, key: row.id, left_micros: left },
    };
    const own = { ...cause, cause: `own_low_key:${row.id}`, isOwn: true };
    return [
      ...(marks.isWanted("low_key")
        ? [{ ...cause, cause: `low_key:${row.id}`, isOwn: false }]
        : []),
      ...(row.notice_url === null ? [] : [own]),
    ];
  });
}

async function findDeadKeys(database: Database): Promise<Cause[]> {
  const rows = await readDeadKeys(database);
  return rows.map(({ id, name, position, last4, reason }) => ({
    cause: `key_died:${id}:${position}:${last4}`,
    kind: "key_died",
    accountId: null,
    isOwn: false,
    text: `The vendor refused the key ...${last4} of the channel ${name}; it is disabled.`,
    details: { channel: name, key: `${position}:${last4}`, reason },
  }));
}

/** Group by host: what stands behind it may be secret. */
async function findFailingAddresses(database: Database, tries: number): Promise<Cause[]> {
  const rows = await readFailingAddresses(database, tries, causesMax);
  const causes = rows.map(({ url, account_id: accountId, username }): Cause => {
    const host = URL.parse(url)?.host ?? "";
    return {
      cause: `webhook_failing:${accountId}:${host}`,
      kind: "webhook_failing",
      accountId,
      isOwn: false,
      text: `Callbacks of ${username} to ${host} do not arrive.`,
      details: { account: username, host },
    };
  });
  return [...new Map(causes.map((one) => [one.cause, one])).values()];
}
