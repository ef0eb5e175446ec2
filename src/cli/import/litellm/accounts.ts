// LiteLLM's users, teams and keys. There is no balance there, only budgets: what is left of one is
// what an account starts with, and one without a budget is without a limit.
import { isObject } from "../../../core/json.ts";
import { isSetIn, numberIn, objectIn, secondsIn, cellText } from "../cells.ts";
import { noRates, type EstateAccount, type EstateKey, type Remark } from "../estate.ts";
import { toFraction } from "../money.ts";
import type { SourceRow, SourceTables } from "../queries.ts";

const bounds = "max_budget spend budget_duration tpm_limit rpm_limit max_parallel_requests";
const userColumns = `user_id user_email user_alias user_role ${bounds}`.split(" ");
const teamColumns = `team_id team_alias blocked models ${bounds}`.split(" ");
const keyColumns = [
  "token key_name key_alias user_id team_id models expires blocked aliases allowed_routes",
  `created_at ${bounds}`,
].flatMap((line) => line.split(" "));
const sessions = "litellm-dashboard";
/** Whose keys belong to nobody. */
const nobody = "litellm-keys";

interface People {
  accounts: EstateAccount[];
  keys: EstateKey[];
  remarks: Remark[];
}

export async function readPeople(tables: SourceTables): Promise<People> {
  const remarks: Remark[] = [];
  const users = await tables.rows("LiteLLM_UserTable", userColumns);
  const teams = await tables.rows("LiteLLM_TeamTable", teamColumns);
  const accounts = [
    ...users.map((row) => toUser(row, remarks)),
    ...teams.map((row) => toTeam(row, remarks)),
  ];
  const rows = await tables.rows("LiteLLM_VerificationToken", keyColumns);
  const owners = new Set(accounts.map(({ ref }) => ref));
  const lists = new Map(teams.map((row) => [cellText(row, "team_id"), modelsIn(row)]));
  const keys = rows.flatMap((row) => toKeys(row, { owners, lists, remarks }));
  if (keys.some(({ owner }) => owner === nobody)) accounts.push(ownerOfRest());
  return { accounts, keys, remarks };
}

/** Dollars as LiteLLM has them, which are no whole numbers: to the nearest micro. */
function microsIn(row: SourceRow, column: string): bigint {
  const { top, bottom } = toFraction(Math.max(0, numberIn(row, column)));
  return (2n * top * 1_000_000n + bottom) / (2n * bottom);
}

/** Null: no budget. */
function leftOf(row: SourceRow): bigint | null {
  if (row["max_budget"] === null || row["max_budget"] === undefined) return null;
  const left = microsIn(row, "max_budget") - microsIn(row, "spend");
  return left > 0n ? left : 0n;
}

function ratesOf(row: SourceRow): EstateAccount["rates"] {
  const orNull = (column: string) => {
    const value = Math.floor(numberIn(row, column));
    return value > 0 ? value : null;
  };
  return {
    requestsPerMinute: orNull("rpm_limit"),
    tokensPerMinute: orNull("tpm_limit"),
    concurrency: orNull("max_parallel_requests"),
  };
}

function toAccount(row: SourceRow, ref: string, name: string): EstateAccount {
  const left = leftOf(row);
  return {
    ref,
    name,
    passwordHash: "",
    isAdmin: cellText(row, "user_role") === "proxy_admin",
    isEnabled: !isSetIn(row, "blocked"),
    group: "default",
    isUnlimited: left === null,
    units: left ?? 0n,
    createdAt: null,
    totp: null,
    hasOtherWayIn: false,
    rates: ratesOf(row),
  };
}

function toUser(row: SourceRow, remarks: Remark[]): EstateAccount {
  const id = cellText(row, "user_id");
  const name = cellText(row, "user_email") || cellText(row, "user_alias") || id;
  tellOfBudget(row, `account ${name}`, remarks);
  return toAccount(row, refOf("user", id), name);
}

function toTeam(row: SourceRow, remarks: Remark[]): EstateAccount {
  const id = cellText(row, "team_id");
  const name = `team-${cellText(row, "team_alias") || id}`;
  tellOfBudget(row, `account ${name}`, remarks);
  return toAccount(row, refOf("team", id), name);
}

function ownerOfRest(): EstateAccount {
  return { ...toAccount({}, nobody, nobody), rates: noRates };
}

function refOf(kind: string, id: string): string {
  return `${kind}-${id.replace(/[^\x21-\x7e]/g, "_")}`.slice(0, 128);
}

function tellOfBudget(row: SourceRow, about: string, remarks: Remark[]): void {
  const duration = cellText(row, "budget_duration");
  if (duration === "") return;
  const why = `its budget starts anew every ${duration} there; here the rest of this one comes`;
  remarks.push({ about, why });
}

interface KeyWays {
  owners: ReadonlySet<string>;
  lists: ReadonlyMap<string, string[]>;
  remarks: Remark[];
}

function toKeys(row: SourceRow, { owners, lists, remarks }: KeyWays): EstateKey[] {
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
  tellOfBudget(row, about, remarks);
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
      isEnabled: !isSetIn(row, "blocked") && !isClosed && !isOther,
      limitUnits: leftOf(row),
      models,
      allowIps: null,
      expiresAt: secondsIn(row, "expires"),
      createdAt: secondsIn(row, "created_at"),
      rates: ratesOf(row),
    },
  ];
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

function hasAny(row: SourceRow, column: string): boolean {
  const value = row[column];
  if (Array.isArray(value)) return value.length > 0;
  const object = objectIn(row, column);
  return isObject(object) && Object.keys(object).length > 0;
}
