// LiteLLM's users, organizations, teams and keys. There is no balance there, only budgets: what is
// left of one is what an account starts with, one that starts anew is a budget here too, and an
// account without any is without a limit.
import { unbounded } from "../../../admin/import/contract.ts";
import { isSetIn, objectIn, secondsIn, cellText } from "../cells.ts";
import {
  noRates,
  type ImportSnapshot,
  type Remark,
  type SnapshotAccount,
  type SnapshotBudget,
  type SnapshotKey,
} from "../snapshot.ts";
import type { SourceRow, SourceTables } from "../queries.ts";
import { boundColumns, Budgets, hasAny, least, type Bound } from "./budgets.ts";
import {
  Homes,
  membershipColumns,
  membersOf,
  organizationColumns,
  projectsOf,
  refOf,
} from "./organisations.ts";
import { rhythmOf } from "./rhythm.ts";

const userColumns = ["user_id", "user_email", "user_alias", "user_role", ...boundColumns];
const teamColumns = [
  "team_id team_alias blocked models members_with_roles",
  boundColumns.join(" "),
].flatMap((line) => line.split(" "));
const keyColumns = [
  "token key_name key_alias user_id team_id models expires blocked aliases allowed_routes",
  `created_at metadata ${boundColumns.join(" ")}`,
].flatMap((line) => line.split(" "));
const sessions = "litellm-dashboard";
/** Owner of the keys that belong to nobody. */
const nobody = "litellm-keys";

type People = Pick<
  ImportSnapshot,
  "accounts" | "projects" | "members" | "keys" | "budgets" | "remarks"
>;

export async function readPeople(tables: SourceTables): Promise<People> {
  const remarks: Remark[] = [];
  const renewed: SnapshotBudget[] = [];
  const users = await tables.rows("LiteLLM_UserTable", userColumns);
  const teams = await tables.rows("LiteLLM_TeamTable", teamColumns);
  const organizations = await tables.rows("LiteLLM_OrganizationTable", organizationColumns);
  const memberships = await tables.rows("LiteLLM_OrganizationMembership", membershipColumns);
  const homes = new Homes(organizations, teams);
  const ways = { budgets: await Budgets.read(tables), homes, renewed, remarks };
  const isOwn = (row: SourceRow) => homes.ofTeam(row)?.project === null;
  const accounts = [
    ...users.map((row) => toUser(row, ways)),
    ...organizations.map((row) => toOrganization(row, ways)),
    ...teams.filter(isOwn).map((row) => toTeam(row, ways)),
  ];
  const closed = new Set(
    teams.filter((row) => !isOwn(row) && !boundProject(row, ways)).map((row) => row["team_id"]),
  );
  const rows = await tables.rows("LiteLLM_VerificationToken", keyColumns);
  const people = new Set(accounts.map(({ ref }) => ref));
  const members = membersOf({ teams, memberships, homes, people });
  const lists = new Map(teams.map((row) => [cellText(row, "team_id"), modelsIn(row)]));
  const seats = new Set(members.map(({ organisation, person }) => `${organisation} ${person}`));
  const keyWays = { ...ways, people, lists, seats, closed };
  const keys = rows.flatMap((row) => toKeys(row, keyWays));
  if (keys.some(({ owner }) => owner === nobody)) accounts.push(emptyAccount(nobody, nobody));
  const projects = projectsOf(teams, homes);
  return { accounts, projects, members, keys, budgets: renewed, remarks };
}

interface AccountWays {
  budgets: Budgets;
  homes: Homes;
  /** Takes those that come as budgets. */
  renewed: SnapshotBudget[];
  remarks: Remark[];
}

interface Named {
  ref: string;
  name: string;
  isOrganisation?: boolean;
}

function toAccount(
  row: SourceRow,
  { ref, name, isOrganisation = false }: Named,
  ways: AccountWays,
): SnapshotAccount {
  const about = `account ${name}`;
  const bound = boundOf(row, about, ways);
  if (!isOrganisation) shareFault(row, bound, ways, about);
  renew(bound, { ref, account: ref, scope: "account", subject: null, name: "whole" }, ways);
  return {
    ...emptyAccount(ref, name),
    ...(isOrganisation && { isOrganisation: true as const, hasOtherWayIn: true }),
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
  remarks.push(...bound.faults.map((why) => ({ about, why: `${why}, so it is off` })));
  const isLost = bound.duration !== "" && rhythmOf(bound.duration) === null;
  if (isLost && bound.left !== null) {
    const span = `its budget starts anew every ${bound.duration} there`;
    remarks.push({ about, why: `${span}; here the rest of this one comes` });
  }
  return bound;
}

/** A bound that starts anew comes as a budget, and bounds nothing else. */
function renew(
  bound: Bound,
  of: Omit<SnapshotBudget, "limitMicros" | "rhythm">,
  { renewed, remarks }: AccountWays,
): void {
  const rhythm = rhythmOf(bound.duration);
  if (bound.limit === null || rhythm === null) return;
  renewed.push({ ...of, limitMicros: bound.limit, rhythm });
  bound.left = null;
  const why = `its budget of every ${bound.duration} begins with a new window here`;
  remarks.push({ about: `budget ${of.name} of ${of.account}`, why });
}

/** False where it is off: a project has no rates, and is bounded by budgets alone. */
function boundProject(row: SourceRow, ways: AccountWays): boolean {
  const name = cellText(row, "team_alias") || cellText(row, "team_id");
  const about = `project ${name}`;
  const { account = "", project = null } = ways.homes.ofTeam(row) ?? {};
  const bound = boundOf(row, about, ways);
  const budget = { ref: `${project}`, account, scope: "project", subject: project, name } as const;
  renew(bound, budget, ways);
  if (bound.left !== null) {
    const rhythm = { period: "forever" } as const;
    ways.renewed.push({ ...budget, limitMicros: bound.left, rhythm });
  }
  if (Object.values(bound.rates).some((rate) => rate !== null)) {
    ways.remarks.push({ about, why: "has rates, which a project has not" });
  }
  return bound.faults.length === 0;
}

/** One whose organization has a budget, and that is not paid by it. */
function shareFault(
  row: SourceRow,
  bound: Bound,
  { budgets, remarks }: AccountWays,
  about: string,
) {
  if (!budgets.isShared(row)) return;
  const why = "shares the budget of its organization, which has no equal";
  if (bound.left !== null || bound.limit !== null) {
    remarks.push({ about, why: `${why}; its own comes` });
    return;
  }
  bound.faults.push(why);
  remarks.push({ about, why: `${why}, so it is off` });
}

function toUser(row: SourceRow, ways: AccountWays): SnapshotAccount {
  const id = cellText(row, "user_id");
  const name = cellText(row, "user_email") || cellText(row, "user_alias") || id;
  return toAccount(row, { ref: refOf("user", id), name }, ways);
}

function toTeam(row: SourceRow, ways: AccountWays): SnapshotAccount {
  const id = cellText(row, "team_id");
  const name = `team-${cellText(row, "team_alias") || id}`;
  return toAccount(row, { ref: refOf("team", id), name, isOrganisation: true }, ways);
}

function toOrganization(row: SourceRow, ways: AccountWays): SnapshotAccount {
  const id = cellText(row, "organization_id");
  const name = cellText(row, "organization_alias") || `organization-${id}`;
  return toAccount(row, { ref: refOf("organization", id), name, isOrganisation: true }, ways);
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

interface KeyWays extends AccountWays {
  people: ReadonlySet<string>;
  lists: ReadonlyMap<string, string[]>;
  /** Organisations and their members. */
  seats: ReadonlySet<string>;
  /** Teams that are off. */
  closed: ReadonlySet<unknown>;
}

function toKeys(row: SourceRow, ways: KeyWays): SnapshotKey[] {
  const { remarks, lists } = ways;
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
  const bound = boundOf(row, about, ways);
  const owned = ownerOf(row, ways);
  if (!ways.homes.ofOrganization(row)) shareFault(row, bound, ways, about);
  renew(bound, { ref: hash, account: owned.owner, scope: "key", subject: hash, name }, ways);
  tellOfModelRates(row, about, remarks);
  const { models, isClosed } = modelsOf(modelsIn(row), lists.get(teamId) ?? []);
  const isOther = hasAny(row, "aliases") || hasAny(row, "allowed_routes");
  if (isClosed) remarks.push({ about, why: "allows no model at all, so it is off" });
  if (isOther) remarks.push({ about, why: "has aliases or routes of its own, so it is off" });
  const isOff = isSetIn(row, "blocked") || isClosed || isOther || ways.closed.has(row["team_id"]);
  return [
    {
      ref: hash,
      ...owned,
      hash,
      shown,
      name: teamId !== "" && userId !== "" ? `${name} ${userId}`.slice(0, 64) : name,
      group: null,
      isEnabled: !isOff && bound.faults.length === 0,
      limitUnits: least(bound.left, leftToMember(row, owned, ways)),
      bounds: { ...unbounded, models, expires_at: secondsIn(row, "expires") },
      createdAt: secondsIn(row, "created_at"),
      rates: bound.rates,
    },
  ];
}

type Owned = Pick<SnapshotKey, "owner" | "project" | "maker">;

/** Its team or organization pays, else its user. */
function ownerOf(row: SourceRow, { homes, people, seats }: KeyWays): Owned {
  const person = refOf("user", cellText(row, "user_id"));
  const home = homes.ofTeam(row) ?? homes.ofOrganization(row);
  if (!home) return { owner: people.has(person) ? person : nobody };
  return {
    owner: home.account,
    ...(home.project !== null && { project: home.project }),
    ...(seats.has(`${home.account} ${person}`) && { maker: person }),
  };
}

/** One that starts anew comes as the member's budget, where its team is all that the member has. */
function leftToMember(row: SourceRow, { owner, project, maker }: Owned, ways: KeyWays) {
  const [teamId, userId] = [cellText(row, "team_id"), cellText(row, "user_id")];
  const renewedOf = ways.budgets.renewedOf(teamId, userId);
  const rhythm = renewedOf && rhythmOf(renewedOf.duration);
  if (!rhythm || maker === undefined || project !== undefined) {
    return ways.budgets.ofMember(teamId, userId);
  }
  const ref = `${owner} ${maker}`.replaceAll(" ", "_").slice(0, 128);
  if (!ways.renewed.some((one) => one.ref === ref)) {
    const of = { ref, account: owner, scope: "member", subject: maker, name: userId } as const;
    ways.renewed.push({ ...of, limitMicros: renewedOf.limit, rhythm });
  }
  return null;
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
