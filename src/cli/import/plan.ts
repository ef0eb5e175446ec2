// Makes what was read fit for us: names, groups, money. Nothing is written here, so that a dry run
// tells just what a run would do.
import type { ImportInput } from "../../admin/contract.ts";
import { isMultiplier } from "../../config/fields.ts";
import {
  counted,
  type ImportSnapshot,
  type SnapshotAccount,
  type SnapshotKey,
  type Remark,
} from "./snapshot.ts";
import { dollarsOf, dollarsOfUnits, isBalanced, toMicros, type Converted } from "./money.ts";
import { toBudgets, toMembers, toProjects } from "./plan-organisations.ts";
import { entityNames, respell, TakenNames, usernames } from "./names.ts";

type Lists = Required<Omit<ImportInput, "source">>;

/** Rows in the gateway before. */
export interface Present {
  usernames: Iterable<string>;
  channels: Iterable<string>;
  /** Models that have a price, be it the operator's or the catalogue's. */
  priced: Iterable<string>;
  /** The ids over there of what came in a run before, by kind. */
  refs: Readonly<Record<string, readonly string[]>>;
  /** Usernames here, by the accounts' ids over there. */
  come: Readonly<Record<string, string>>;
}

export interface Plan {
  lists: Lists;
  remarks: Remark[];
  /** Grants of all accounts that come or have come. */
  grantMicros: bigint;
  /** Total of the source in micros, and the part of it that stays behind. */
  totalMicros: number;
  restMicros: number;
  /** The same in dollars, exact, for people. */
  shown: { total: string; deleted: string; debts: string; rounded: string };
  isBalanced: boolean;
}

const grantMicrosMax = 1_000_000_000_000_000n;
const limitMicrosMax = BigInt(Number.MAX_SAFE_INTEGER);

export function planImport(snapshot: ImportSnapshot, present: Present): Plan {
  const remarks: Remark[] = [...snapshot.remarks];
  tellOfStrangers(snapshot, present, remarks);
  const groupOf = nameGroups(snapshot, remarks);
  const converted = new Map(
    snapshot.accounts.map(({ ref, units }) => [ref, toMicros(units, snapshot.unitsPerDollar)]),
  );
  const all = [...converted.values()];
  const lists: Lists = {
    groups: toGroups(snapshot, groupOf, remarks),
    accounts: toAccounts(snapshot, { present, groupOf, converted, remarks }),
    projects: toProjects(snapshot, remarks),
    members: toMembers(snapshot),
    budgets: toBudgets(snapshot),
    keys: snapshot.keys.map((key) => toKey(key, snapshot, { groupOf, remarks })),
    channels: toChannels(snapshot, { present, groupOf, remarks }),
    prices: snapshot.prices,
    codes: toCodes(snapshot, remarks),
    identities: snapshot.identities,
    announcements: toAnnouncements(snapshot, remarks),
  };
  tellOfPrices(snapshot, present, remarks);
  tellOfRounding(snapshot, remarks);
  const perMicro = Number(snapshot.unitsPerDollar) / 1_000_000;
  const { unitsPerDollar: unit } = snapshot;
  const restOf = (kept: (rest: bigint) => boolean) =>
    all.reduce((sum, { rest }) => (kept(rest) ? sum + rest : sum), 0n);
  return {
    lists,
    remarks,
    grantMicros: all.reduce((sum, { micros }) => sum + micros, 0n),
    totalMicros: Number(snapshot.totalUnits) / perMicro,
    restMicros:
      Number(snapshot.leftUnits) / perMicro +
      all.reduce((sum, { rest }) => sum + Number(rest) / Number(snapshot.unitsPerDollar), 0),
    shown: {
      total: dollarsOfUnits(snapshot.totalUnits, unit),
      deleted: dollarsOfUnits(snapshot.leftUnits, unit),
      debts: dollarsOf(
        restOf((rest) => rest < 0n),
        unit,
      ),
      rounded: dollarsOf(
        restOf((rest) => rest > 0n),
        unit,
      ),
    },
    isBalanced: isBalanced({ ...snapshot, converted: all }),
  };
}

/** A model without a price there has the catalogue's here, or none, and then it is refused. */
function tellOfPrices({ unpriced }: ImportSnapshot, { priced }: Present, remarks: Remark[]): void {
  const known = new Set(priced);
  for (const model of new Set(unpriced)) {
    const here = known.has(model)
      ? "the one that stands here holds"
      : "it is refused until you set one (Prices, or sluice price set)";
    remarks.push({ about: `model ${model}`, why: `has no price there; ${here}` });
  }
}

/** Remark on rounded limits and codes, which are no balances and so in no sum. */
function tellOfRounding({ keys, codes, unitsPerDollar }: ImportSnapshot, remarks: Remark[]): void {
  const isRounded = (units: bigint | null) =>
    units !== null && units > 0n && toMicros(units, unitsPerDollar).rest > 0n;
  const limits = keys.filter(({ limitUnits }) => isRounded(limitUnits)).length;
  const worths = codes.filter(({ units }) => isRounded(units)).length;
  const why = "rounded down to a whole micro";
  if (limits > 0) remarks.push({ about: `${counted(limits, "limit")} of keys`, why });
  if (worths > 0) remarks.push({ about: `${counted(worths, "code")} for credit`, why });
}

/**
 * Ids count within a source, so a second database under the name of a first would give its keys to
 * other people's accounts. One whose names are mostly others is not the one that came before.
 */
function tellOfStrangers({ accounts }: ImportSnapshot, { come }: Present, remarks: Remark[]): void {
  const known = accounts.filter(({ ref }) => come[ref] !== undefined);
  const renamed = known.filter(({ ref, name }) => {
    const here = (come[ref] ?? "").replace(/-\d+$/, "");
    const there = spellUser(ref, name).replace(/-\d+$/, "");
    return !there.startsWith(here);
  });
  const [first] = renamed;
  if (first && renamed.length * 2 >= known.length) {
    throw new Error(
      `another database came under this name before: ${first.ref} is ${first.name} there and ` +
        `${come[first.ref]} here; give this one a name of its own by --source`,
    );
  }
  for (const { ref, name } of renamed) {
    remarks.push({ about: `account ${name}`, why: `was renamed there; here it is ${come[ref]}` });
  }
}

function spellUser(ref: string, name: string): string {
  return respell(name, usernames, `user-${ref.replace(/[^A-Za-z0-9]+/g, "-")}`);
}

type GroupOf = ReadonlyMap<string, string>;

/** The same in every run, whatever is here. */
function nameGroups({ groups }: ImportSnapshot, remarks: Remark[]): GroupOf {
  const taken = new TakenNames([]);
  const isPlain = ({ name }: { name: string }) => respell(name, entityNames, "") === name;
  const inOrder = [...groups.filter(isPlain), ...groups.filter((group) => !isPlain(group))];
  return new Map(
    inOrder.map(({ name }, at) => {
      const ours = taken.take(respell(name, entityNames, `group-${at + 1}`));
      if (ours !== name) remarks.push({ about: `group ${name}`, why: `is called ${ours} here` });
      return [name, ours];
    }),
  );
}

function toGroups(
  { groups }: ImportSnapshot,
  groupOf: GroupOf,
  remarks: Remark[],
): Lists["groups"] {
  return groups.map(({ name, multiplier }) => {
    const bounded = Math.min(1000, Math.max(0, multiplier));
    const ours = isMultiplier(bounded) ? bounded : Math.round(bounded * 1_000_000) / 1_000_000;
    if (ours !== multiplier) {
      remarks.push({ about: `group ${name}`, why: `its ratio ${multiplier} became ${ours}` });
    }
    return { name: groupOf.get(name) ?? name, multiplier: ours };
  });
}

interface Ways {
  groupOf: GroupOf;
  remarks: Remark[];
}

interface Told {
  micros: bigint;
  unit: bigint;
  remarks: Remark[];
}

function toAccounts(
  { accounts, unitsPerDollar }: ImportSnapshot,
  {
    present,
    groupOf,
    converted,
    remarks,
  }: Ways & {
    present: Present;
    converted: ReadonlyMap<string, Converted>;
  },
): Lists["accounts"] {
  const known = new Set(present.refs["accounts"]);
  const taken = new TakenNames(present.usernames);
  return accounts.map((account) => {
    const { ref, name, rates } = account;
    const spelt = spellUser(ref, name);
    // One that has come before keeps the name it got then, which need not be this one.
    const username = known.has(ref) ? spelt : taken.take(spelt);
    if (username !== name && !known.has(ref)) {
      remarks.push({
        about: `account ${name}`,
        why: `${account.isOrganisation ? "is called" : "signs in as"} ${username} here`,
      });
    }
    const { micros = 0n } = converted.get(ref) ?? {};
    tellOfAccount(account, { micros, unit: unitsPerDollar, remarks });
    return {
      ref,
      ...(account.isOrganisation && { kind: "organisation" as const }),
      username,
      password_hash: account.passwordHash,
      role: account.isAdmin ? "admin" : "user",
      group: groupOf.get(account.group) ?? "default",
      status: account.isEnabled ? "enabled" : "disabled",
      unlimited: account.isUnlimited,
      micros: Number(micros),
      created_at: account.createdAt,
      totp: account.totp,
      ...toRates(rates),
    };
  });
}

function tellOfAccount(account: SnapshotAccount, { micros, unit, remarks }: Told): void {
  const about = `account ${account.name}`;
  if (account.units < 0n) {
    remarks.push({
      about,
      why: `owed ${dollarsOfUnits(-account.units, unit)} there and starts with nothing`,
    });
  }
  if (micros > grantMicrosMax) {
    remarks.push({ about, why: "had more than one grant can be, and is refused" });
  }
  if (account.passwordHash === "" && !account.hasOtherWayIn) {
    remarks.push({ about, why: "has no way in: an admin sets a password" });
  }
}

function toRates(rates: SnapshotAccount["rates"]) {
  return {
    requests_per_minute: rates.requestsPerMinute,
    tokens_per_minute: rates.tokensPerMinute,
    concurrency: rates.concurrency,
  };
}

function toKey(
  key: SnapshotKey,
  snapshot: ImportSnapshot,
  { groupOf, remarks }: Ways,
): Lists["keys"][number] {
  const name = respell(key.name, entityNames, `key-${key.ref.slice(0, 40)}`);
  if (name !== key.name) {
    remarks.push({ about: `key ${key.name || key.ref}`, why: `is called ${name} here` });
  }
  const limit = key.limitUnits === null ? null : toMicros(key.limitUnits, snapshot.unitsPerDollar);
  const micros = limit && (limit.micros > limitMicrosMax ? limitMicrosMax : limit.micros);
  return {
    ref: key.ref,
    owner: key.owner,
    ...(key.project !== undefined && { project: key.project }),
    ...(key.maker !== undefined && { maker: key.maker }),
    hash: key.hash,
    shown: key.shown,
    name,
    group: key.group === null ? null : (groupOf.get(key.group) ?? "default"),
    status: key.isEnabled ? "enabled" : "disabled",
    limit_micros: micros === null ? null : Number(micros),
    ...key.bounds,
    created_at: key.createdAt,
    ...toRates(key.rates),
  };
}

function toChannels(
  { channels }: ImportSnapshot,
  { present, groupOf, remarks }: Ways & { present: Present },
): Lists["channels"] {
  const known = new Set(present.refs["channels"]);
  const taken = new TakenNames(present.channels);
  return channels.map(({ ref, name, groups, settings, disabledKeys }) => {
    const spelt = respell(name, entityNames, `channel-${ref.slice(0, 40)}`);
    const ours = known.has(ref) ? spelt : taken.take(spelt);
    if (ours !== name && !known.has(ref)) {
      remarks.push({ about: `channel ${name || ref}`, why: `is called ${ours} here` });
    }
    const reached = [...new Set(groups.map((group) => groupOf.get(group) ?? "default"))];
    const channel = { ...settings, name: ours, groups: reached.length > 0 ? reached : ["default"] };
    return { ref, channel, disabled_keys: disabledKeys };
  });
}

const titleLengthMax = 120;
const textLengthMax = 4000;

function toAnnouncements(
  { announcements }: ImportSnapshot,
  remarks: Remark[],
): Lists["announcements"] {
  return announcements.map(({ ref, title, text, startsAt }) => {
    if (text.length > textLengthMax) {
      const why = `is longer than ${textLengthMax} characters, and is cut`;
      remarks.push({ about: `announcement ${title}`, why });
    }
    const plain = text.replace(/\r\n?/g, "\n").slice(0, textLengthMax);
    return { ref, title: title.slice(0, titleLengthMax), text: plain, starts_at: startsAt };
  });
}

function toCodes({ codes, unitsPerDollar }: ImportSnapshot, remarks: Remark[]): Lists["codes"] {
  return codes.flatMap(({ ref, hash, shown, name, units, expiresAt }) => {
    const { micros } = toMicros(units, unitsPerDollar);
    if (micros === 0n || micros > grantMicrosMax) {
      remarks.push({
        about: `code ${ref}`,
        why: "is worth nothing, or more than one grant can be",
      });
      return [];
    }
    const ours = respell(name, entityNames, "imported");
    return [{ ref, hash, shown, name: ours, micros: Number(micros), expires_at: expiresAt }];
  });
}
