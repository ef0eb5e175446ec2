// LiteLLM's users, teams and keys. There is no balance there, only budgets: what is left of one is
// what an account starts with, and one without a budget is without a limit.
import { isSetIn, objectIn, secondsIn, cellText } from "../cells.ts";
import { noRates, type SnapshotAccount, type SnapshotKey, type Remark } from "../snapshot.ts";
import type { SourceRow, SourceTables } from "../queries.ts";
import { boundColumns, Budgets, hasAny, least, type Bound } from "./budgets.ts";

const userColumns = ["user_id", "user_email", "user_alias", "user_role", ...boundColumns];
const teamColumns = ["team_id", "team_alias", "blocked", "models", ...boundColumns];
const keyColumns = [
  "token key_name key_alias user_id team_id models expires blocked aliases allowed_routes",
  `created_at metadata ${boundColumns.join(" ")}`,
].flatMap((line) => line.split(" "));
const sessions = "litellm-dashboard";
/** Owner of the keys that belong to nobody. */
const nobody = "litellm-keys";

interface People {
  accounts: SnapshotAccount[];
  keys: SnapshotKey[];
  remarks: Remark[];
}

export async function readPeople(tables: SourceTables): Promise<People> {
  const remarks: Remark[] = [];
  const users = await tables.rows("LiteLLM_UserTable", userColumns);
  const teams = await tables.rows("LiteLLM_TeamTable", teamColumns);
  const budgets = await Budgets.read(tables);
  const accounts = [
    ...users.map((row) => toUser(row, { budgets, remarks })),
    ...teams.map((row) => toTeam(row, { budgets, remarks })),
  ];
  const rows = await tables.rows("LiteLLM_VerificationToken", keyColumns);
  const owners = new Set(accounts.map(({ ref }) => ref));
  const lists = new Map(teams.map((row) => [cellText(row, "team_id"), modelsIn(row)]));
  const keys = rows.flatMap((row) => toKeys(row, { owners, lists, budgets, remarks }));
  if (keys.some(({ owner }) => owner === nobody)) accounts.push(emptyAccount(nobody, nobody));
  return { accounts, keys, remarks };
}

interface AccountWays {
  budgets: Budgets;
  remarks: Remark[];
}

interface Named {
  ref: string;
  name: string;
}

function toAccount(row: SourceRow, { ref, name }: Named, ways: AccountWays): SnapshotAccount {
  const bound = boundOf(row, `account ${name}`, ways);
  return {
    ...emptyAccount(ref, name),
    isAdmin: cellText(row, "user_role") === "proxy_admin",
    isEnabled: !isSetIn(row, "blocked") && bound.faults.length === 0,
    isUnlimited: bound.left === null,
    units: bound.left ?? 0n,
    rates: bound.rates,
  };
}

/** Tells what does not come as it was; who shares a budget and has no other is off as well. */
function boundOf(row: SourceRow, about: string, { budgets, remarks }: AccountWays): Bound {
  const bound = budgets.boundOf(row);
  if (budgets.isShared(row)) {
    const why = "shares the budget of its organization, which has no equal";
    if (bound.left === null) bound.faults.push(why);
    else remarks.push({ about, why: `${why}; its own comes` });
  }
  remarks.push(...bound.faults.map((why) => ({ about, why: `${why}, so it is off` })));
  if (bound.duration !== "") {
    const span = `its budget starts anew every ${bound.duration} there`;
    remarks.push({ about, why: `${span}; here the rest of this one comes` });
  }
  return bound;
}

function toUser(row: SourceRow, ways: AccountWays): SnapshotAccount {
  const id = cellText(row, "user_id");
  const name = cellText(row, "user_email") || cellText(row, "user_alias") || id;
  return toAccount(row, { ref: refOf("user", id), name }, ways);
}

function toTeam(row: SourceRow, ways: AccountWays): SnapshotAccount {
  const id = cellText(row, "team_id");
  const name = `team-${cellText(row, "team_alias") || id}`;
  return toAccount(row, { ref: refOf("team", id), name }, ways);
}

function emptyAccount(ref: string, name: string): SnapshotAccount {
  return {
    ref,
    name,
    passwordHash: "",
    isAdmin: false,
    isEnabled: true,
    group: "default",
    isUnlimited: true,
    units: 0n,
    createdAt: null,
    totp: null,
    hasOtherWayIn: false,
    rates: noRates,
  };
}

function refOf(kind: string, id: string): string {
  return `${kind}-${id.replace(/[^\x21-\x7e]/g, "_")}`.slice(0, 128);
}

interface KeyWays extends AccountWays {
  owners: ReadonlySet<string>;
  lists: ReadonlyMap<string, string[]>;
}

function toKeys(row: SourceRow, { owners, lists, budgets, remarks }: KeyWays): SnapshotKey[] {
  const hash = cellText(row, "token");
  const [userId, teamId] = [cellText(row, "user_id"), cellText(row, "team_id")];
  if (teamId === sessions) return [];
  const shown = cellText(row, "key_name").slice(0, 64) || "sk-...";
  const name = cellText(row, "key_alias") || shown;
  const about = `key ${name}`;
  if (!/^[0-9a-f]{64}$/.test(hash)) {
    remarks.push({ about, why: "is not kept as a digest, and does not come" });
    return [];
  }
  const bound = boundOf(row, about, { budgets, remarks });
  tellOfModelRates(row, about, remarks);
  const wanted = teamId !== "" ? refOf("team", teamId) : refOf("user", userId);
  const owner = owners.has(wanted) ? wanted : nobody;
  const { models, isClosed } = modelsOf(modelsIn(row), lists.get(teamId) ?? []);
  const isOther = hasAny(row, "aliases") || hasAny(row, "allowed_routes");
  if (isClosed) remarks.push({ about, why: "allows no model at all, so it is off" });
  if (isOther) remarks.push({ about, why: "has aliases or routes of its own, so it is off" });
  return [
    {
      ref: hash,
      owner,
      hash,
      shown,
      name: teamId !== "" && userId !== "" ? `${name} ${userId}`.slice(0, 64) : name,
      group: null,
      isEnabled: !isSetIn(row, "blocked") && !isClosed && !isOther && bound.faults.length === 0,
      limitUnits: least(bound.left, budgets.ofMember(teamId, userId)),
      models,
      allowIps: null,
      expiresAt: secondsIn(row, "expires"),
      createdAt: secondsIn(row, "created_at"),
      rates: bound.rates,
    },
  ];
}

function tellOfModelRates(row: SourceRow, about: string, remarks: Remark[]): void {
  const metadata = objectIn(row, "metadata") ?? {};
  for (const name of ["model_rpm_limit", "model_tpm_limit"]) {
    if (metadata[name]) remarks.push({ about, why: `has ${name}, which has no equal` });
  }
}

function modelsIn(row: SourceRow): string[] {
  const value = row["models"];
  return Array.isArray(value) ? value.map(String) : [];
}

function modelsOf(listed: readonly string[], team: readonly string[]) {
  const models = listed.flatMap((name) => (name === "all-team-models" ? team : [name]));
  if (models.includes("no-default-models")) return { models: null, isClosed: true };
  const isAll = models.length === 0 || models.includes("all-proxy-models");
  return { models: isAll ? null : [...new Set(models)], isClosed: false };
}
