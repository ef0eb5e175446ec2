// Organisations, their members and projects in the database.
import type { AccountId, KeyId, ProjectId } from "../../core/ids.ts";
import { commitTogether, type Database } from "../../store/database.ts";
import type {
  MemberTable,
  PartRates,
  ProjectTable,
} from "../../store/people/organisation-schema.ts";
import type { Store } from "../../store/store.ts";
import { insertsOfAccount, type AccountRow } from "../queries.ts";
import { leaders } from "../role.ts";

type MemberRow = MemberTable;
export type ProjectRow = ProjectTable;

/** Row of somebody who comes in; rates are set later. */
type NewMember = Omit<MemberRow, keyof PartRates>;
type NewProject = Omit<ProjectRow, keyof PartRates> & Partial<PartRates>;

/** A person's seat with the organisation that it is in. */
export interface FoundSeat extends MemberRow {
  username: string;
  status: AccountRow["status"];
}

function selectSeats(database: Database) {
  return database
    .selectFrom("member")
    .innerJoin("account", "account.id", "member.organisation_id")
    .selectAll("member")
    .select(["username", "status"])
    .where("account.deleted_at_ms", "is", null);
}

export async function findSeat(
  database: Database,
  organisationId: AccountId,
  personId: AccountId,
): Promise<FoundSeat | null> {
  const row = await selectSeats(database)
    .where("organisation_id", "=", organisationId)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row ?? null;
}

/** Seats of a person, by the names of the organisations. */
export async function readSeatsOf(database: Database, personId: AccountId): Promise<FoundSeat[]> {
  return await selectSeats(database)
    .where("person_id", "=", personId)
    .orderBy("username")
    .execute();
}

/** A member with the name and the state of its person. */
export interface ListedMember extends MemberRow {
  username: string;
  status: AccountRow["status"];
  /** Name of the project that its new keys are in. */
  project: string | null;
  keys: number;
}

export async function readMembers(
  database: Database,
  organisationId: AccountId,
): Promise<ListedMember[]> {
  return await database
    .selectFrom("member")
    .innerJoin("account", "account.id", "member.person_id")
    .leftJoin("project", "project.id", "member.project_id")
    .selectAll("member")
    .select(["username", "account.status", "project.name as project"])
    .select((row) =>
      row
        .selectFrom("api_key")
        .select(({ fn }) => fn.countAll<number>().as("keys"))
        .whereRef("api_key.maker_id", "=", "member.person_id")
        .whereRef("api_key.account_id", "=", "member.organisation_id")
        .where("api_key.deleted_at_ms", "is", null)
        .where("api_key.session_id", "is", null)
        .$asScalar()
        .$notNull()
        .as("keys"),
    )
    .where("member.organisation_id", "=", organisationId)
    .orderBy("member.created_at_ms")
    .orderBy("member.person_id")
    .execute();
}

/** Owners and admins who may sign in; none of what is no organisation. */
export async function readLeaders(
  database: Database,
  organisationId: AccountId,
): Promise<AccountId[]> {
  const rows = await database
    .selectFrom("member")
    .innerJoin("account", "account.id", "member.person_id")
    .select("person_id")
    .where("organisation_id", "=", organisationId)
    .where("member.role", "in", leaders)
    .where("account.status", "=", "enabled")
    .orderBy("person_id")
    .execute();
  return rows.map(({ person_id: id }) => id);
}

/** Whether somebody else owns it who may sign in: one that is disabled could hand nothing over. */
export async function isOwnedByOthers(database: Database, seat: SeatIds): Promise<boolean> {
  const row = await database
    .selectFrom("member")
    .innerJoin("account", "account.id", "member.person_id")
    .select("person_id")
    .where("organisation_id", "=", seat.organisation_id)
    .where("person_id", "!=", seat.person_id)
    .where("member.role", "=", "owner")
    .where("account.status", "=", "enabled")
    .executeTakeFirst();
  return row !== undefined;
}

/** The account, its rules and its first owner, whole or not at all. */
export async function insertOrganisation(
  store: Store,
  database: Database,
  account: AccountRow,
  owner: NewMember,
): Promise<void> {
  const inserts = insertsOfOrganisation(database, account, { owner, isUnlimited: false });
  await commitTogether(store, inserts);
}

export function insertsOfOrganisation(
  database: Database,
  account: AccountRow,
  { owner, isUnlimited }: { owner: NewMember; isUnlimited: boolean },
) {
  return [
    ...insertsOfAccount(database, account, isUnlimited),
    database.insertInto("organisation").values({ id: account.id, key_rules: "{}" }),
    database.insertInto("member").values(owner),
  ];
}

export async function readKeyRules(database: Database, id: AccountId): Promise<string> {
  const row = await database
    .selectFrom("organisation")
    .select("key_rules")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.key_rules ?? "{}";
}

export function updateOfRules(database: Database, id: AccountId, rules: string) {
  return database.updateTable("organisation").set({ key_rules: rules }).where("id", "=", id);
}

/** A person that is in already takes the new role, and stays since when it was. */
export function upsertOfMember(database: Database, row: NewMember) {
  const { role, source, project_id, keys_until_ms } = row;
  return database
    .insertInto("member")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["organisation_id", "person_id"])
        .doUpdateSet({ role, source, project_id, keys_until_ms }),
    );
}

type SeatChanges = Pick<MemberRow, "role" | "project_id" | keyof PartRates>;

/** For a commit that fails with a conflict when the member has gone. */
export function updateOfSeat(
  database: Database,
  seat: SeatIds,
  { role, project_id, requests_per_minute, tokens_per_minute, concurrency }: SeatChanges,
) {
  const query = database
    .updateTable("member")
    .set({ role, project_id, requests_per_minute, tokens_per_minute, concurrency })
    .where("organisation_id", "=", seat.organisation_id)
    .where("person_id", "=", seat.person_id);
  return { query, changes: 1 };
}

/** Keys of a person's seats that came from there end with this moment. */
export async function updateKeysUntil(
  database: Database,
  { accountId, source }: { accountId: AccountId; source: string },
  untilMs: number,
): Promise<void> {
  await database
    .updateTable("member")
    .set({ keys_until_ms: untilMs })
    .where("person_id", "=", accountId)
    .where("source", "=", source)
    .execute();
}

interface SeatIds {
  organisation_id: AccountId;
  person_id: AccountId;
}

/** Whether the keys of one who leaves end or become the organisation's own. */
interface Leaving extends SeatIds {
  keepsKeys: boolean;
  nowMs: number;
}

/** The seat, its tokens there, and the keys that it made. */
export function changesOfLeaving(database: Database, leaving: Leaving) {
  const { organisation_id, person_id, keepsKeys, nowMs } = leaving;
  const keys = database
    .updateTable("api_key")
    .where("account_id", "=", organisation_id)
    .where("maker_id", "=", person_id);
  return [
    database
      .deleteFrom("member")
      .where("organisation_id", "=", organisation_id)
      .where("person_id", "=", person_id),
    database
      .deleteFrom("access_token")
      .where("organisation_id", "=", organisation_id)
      .where("account_id", "=", person_id),
    ...(keepsKeys
      ? []
      : [
          keys
            .set({ status: "disabled", declared: 0, deleted_at_ms: nowMs })
            .where("deleted_at_ms", "is", null),
        ]),
    // Those of pages end with their sessions.
    ...(keepsKeys ? [keys.set({ maker_id: null }).where("session_id", "is", null)] : []),
  ];
}

/** Ids of the keys that a person has or had there, revoked ones too. */
export async function readKeyIdsOf(
  database: Database,
  organisationId: AccountId,
  by: { makerId?: AccountId; projectId?: ProjectId },
): Promise<KeyId[]> {
  let query = database.selectFrom("api_key").select("id").where("account_id", "=", organisationId);
  if (by.makerId !== undefined) query = query.where("maker_id", "=", by.makerId);
  if (by.projectId !== undefined) query = query.where("project_id", "=", by.projectId);
  return (await query.execute()).map(({ id }) => id);
}

/** Keys of a maker that work, without those of pages. */
export async function readLiveKeys(
  database: Database,
  organisationId: AccountId,
  makerId: AccountId,
): Promise<{ id: KeyId; name: string }[]> {
  return await database
    .selectFrom("api_key")
    .select(["id", "name"])
    .where("account_id", "=", organisationId)
    .where("maker_id", "=", makerId)
    .where("deleted_at_ms", "is", null)
    .where("session_id", "is", null)
    .execute();
}

export async function readProjects(
  database: Database,
  organisationId: AccountId,
): Promise<ProjectRow[]> {
  return await database
    .selectFrom("project")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("name")
    .execute();
}

export async function findProject(
  database: Database,
  organisationId: AccountId,
  by: { id: ProjectId } | { name: string },
): Promise<ProjectRow | null> {
  const query = database
    .selectFrom("project")
    .selectAll()
    .where("organisation_id", "=", organisationId);
  const named = "id" in by ? query.where("id", "=", by.id) : query.where("name", "=", by.name);
  return (await named.executeTakeFirst()) ?? null;
}

export function insertOfProject(database: Database, row: NewProject) {
  return database.insertInto("project").values(row);
}

export async function insertProject(database: Database, row: NewProject): Promise<void> {
  await insertOfProject(database, row).execute();
}

export async function updateProject(
  database: Database,
  id: ProjectId,
  changes: Partial<Pick<ProjectRow, "name" | "status" | keyof PartRates>>,
): Promise<void> {
  await database.updateTable("project").set(changes).where("id", "=", id).execute();
}

/** Its keys stay, in no project. */
export async function deleteProject(
  store: Store,
  database: Database,
  id: ProjectId,
): Promise<void> {
  await commitTogether(store, [
    database.updateTable("api_key").set({ project_id: null }).where("project_id", "=", id),
    database.updateTable("member").set({ project_id: null }).where("project_id", "=", id),
    database.deleteFrom("project").where("id", "=", id),
  ]);
}

/** Numbers of what an organisation has. */
export interface OrganisationSize {
  members: number;
  projects: number;
}

/** Sizes of the organisations among the accounts; people ask the database nothing. */
export async function readSizes(
  database: Database,
  accounts: readonly Pick<AccountRow, "id" | "kind">[],
): Promise<Map<AccountId, OrganisationSize>> {
  const ids = accounts.filter(({ kind }) => kind === "organisation").map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const [members, projects] = [
    await countsIn(database, "member", ids),
    await countsIn(database, "project", ids),
  ];
  return new Map(
    ids.map((id) => [id, { members: members.get(id) ?? 0, projects: projects.get(id) ?? 0 }]),
  );
}

async function countsIn(
  database: Database,
  table: "member" | "project",
  ids: readonly AccountId[],
): Promise<Map<AccountId, number>> {
  const rows = await database
    .selectFrom(table)
    .where("organisation_id", "in", ids)
    .groupBy("organisation_id")
    .select(({ fn }) => ["organisation_id", fn.countAll<number>().as("total")])
    .execute();
  return new Map(rows.map(({ organisation_id: id, total }) => [id, Number(total)]));
}
