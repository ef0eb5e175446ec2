// Names of the things that entries are about: today's, or the last that the trail itself has of
// what is gone. A name of an account that was emptied is in neither.
import type {
  AccountId,
  BudgetId,
  ChannelId,
  InvitationId,
  KeyId,
  ProjectId,
  RedemptionId,
  TaskId,
  TokenId,
} from "../../../core/ids.ts";
import { isObject } from "../../../core/json.ts";
import type { Database } from "../../../store/database.ts";

interface Named {
  id: string;
  name: string;
}

/** Those of the ids that are there; all have one prefix. */
type Find = (database: Database, ids: readonly never[]) => Promise<Named[]>;

function finder<Id extends string>(
  find: (database: Database, ids: readonly Id[]) => Promise<Named[]>,
): Find {
  return find;
}

const finders: Readonly<Record<string, Find>> = {
  acc_: finder<AccountId>((database, ids) =>
    database
      .selectFrom("account")
      .select(["id", "username as name"])
      .where("id", "in", ids)
      .execute(),
  ),
  key_: finder<KeyId>((database, ids) =>
    database.selectFrom("api_key").select(["id", "name"]).where("id", "in", ids).execute(),
  ),
  chn_: finder<ChannelId>((database, ids) =>
    database.selectFrom("channel").select(["id", "name"]).where("id", "in", ids).execute(),
  ),
  prj_: finder<ProjectId>((database, ids) =>
    database.selectFrom("project").select(["id", "name"]).where("id", "in", ids).execute(),
  ),
  bud_: finder<BudgetId>((database, ids) =>
    database.selectFrom("budget").select(["id", "name"]).where("id", "in", ids).execute(),
  ),
  tok_: finder<TokenId>((database, ids) =>
    database.selectFrom("access_token").select(["id", "name"]).where("id", "in", ids).execute(),
  ),
  ann_: finder((database, ids) =>
    database
      .selectFrom("announcement")
      .select(["id", "title as name"])
      .where("id", "in", ids)
      .execute(),
  ),
  inv_: finder<InvitationId>((database, ids) =>
    database
      .selectFrom("invitation")
      .select(["id", "note as name"])
      .where("id", "in", ids)
      .execute(),
  ),
  rdm_: finder<RedemptionId>((database, ids) =>
    database.selectFrom("redemption").select(["id", "name"]).where("id", "in", ids).execute(),
  ),
  task_: finder<TaskId>((database, ids) =>
    database.selectFrom("task").select(["id", "model as name"]).where("id", "in", ids).execute(),
  ),
};

export async function namesOfTargets(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const lists = await Promise.all(
    Object.entries(finders).map(async ([prefix, find]) => {
      const own = ids.filter((id) => id.startsWith(prefix)) as never[];
      return own.length > 0 ? await find(database, own) : [];
    }),
  );
  const named = lists.flat().filter(({ name }) => name !== "");
  return new Map(named.map(({ id, name }) => [id, name]));
}

/** Fields of a thing's first and last entry that have its name. */
const nameFields = ["name", "title", "note"];

/** Last names of things that are gone, by the entries of their making and their end. */
export async function pastNamesOf(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const gone = ids.filter((id) => Object.keys(finders).some((prefix) => id.startsWith(prefix)));
  if (gone.length === 0) return new Map();
  const entries = await database
    .selectFrom("audit_entry")
    .select(["target_id", "changes"])
    .where("target_id", "in", gone)
    .where((row) => row.or([row("action", "like", "%.create"), row("action", "like", "%.remove")]))
    .orderBy("id")
    .execute();
  const named = entries.flatMap(({ target_id: id, changes }) => {
    const name = nameIn(JSON.parse(changes));
    return name === null ? [] : [[id, name] as const];
  });
  return new Map(named);
}

function nameIn(changes: unknown): string | null {
  if (!isObject(changes)) return null;
  const texts = nameFields.map((field) => changes[field]).filter((one) => typeof one === "string");
  return texts.find((name) => name !== "") ?? null;
}
