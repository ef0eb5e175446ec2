// The ledger's SQL. A batch of the journal is one document of lists; each step takes one of them.
// Every row must change exactly one, so a second close of the same hold undoes the whole batch
// instead of passing unseen.
import { sql } from "kysely";
import type { ListRow } from "../catalogue/lists/list-row.ts";
import type { AccountId, KeyId } from "../core/ids.ts";
import type { Database } from "../store/database.ts";
import type { PriceTable } from "../store/price-tables.ts";
import type { EntryTable } from "../store/schema.ts";
import { TableStep, type ColumnNames, type Program } from "../store/step.ts";

/** The name under which the journal keeps the ledger's batches. */
export const ledgerProgram = "ledger";

const holdCells = (row: ColumnNames<"hold">) => [
  row.id,
  row.account_id,
  row.key_id,
  row.group_name,
  row.model,
  row.micros,
  row.price,
  row.created_at_ms,
  row.caps,
];

export const holdStep = new TableStep({
  list: "holds",
  table: "hold",
  cells: holdCells,
  action: { kind: "insert", also: { kind: "'request'" } },
});

/** A task's hold outlives the process. */
export const taskHoldStep = new TableStep({
  list: "taskHolds",
  table: "hold",
  cells: holdCells,
  action: { kind: "insert", also: { kind: "'task'" } },
});

/** A hold that is closed within the same commit never reaches its table. */
export const closeStep = new TableStep({
  list: "closed",
  table: "hold",
  cells: (row) => [row.id],
  action: { kind: "delete", undoes: holdStep.list },
});

export const entryStep = new TableStep({
  list: "entries",
  table: "entry",
  cells: (row) => [
    row.id,
    row.kind,
    row.account_id,
    row.key_id,
    row.group_name,
    row.model,
    row.held_micros,
    row.micros,
    row.loss_micros,
    row.price,
    row.usage,
    row.reason,
    row.actor,
    row.at_ms,
    row.caps,
  ],
  action: { kind: "insert" },
});

export const accountStep = new TableStep({
  list: "accounts",
  table: "ledger_account",
  cells: (row) => [
    row.account_id,
    row.granted_micros,
    row.available_micros,
    row.held_micros,
    row.spent_micros,
  ],
  action: { kind: "add", key: ["account_id"] },
});

export const keyStep = new TableStep({
  list: "keys",
  table: "ledger_key",
  cells: (row) => [row.key_id, row.held_micros, row.spent_micros],
  action: { kind: "add", key: ["key_id"] },
});

/** A window's row is made by the first batch that moves it. */
export const capRowStep = new TableStep({
  list: "capRows",
  table: "cap",
  cells: (row) => [
    row.id,
    row.budget_id,
    row.account_id,
    row.subject_id,
    row.mode,
    row.opened_at_ms,
    row.closes_at_ms,
    row.limit_micros,
    row.budget_micros,
    row.carried_micros,
    row.raised_micros,
  ],
  action: { kind: "ensure", key: ["id"] },
});

/** Before what is moved beside it: what is held under a raised limit is within bounds by then. */
export const capLimitStep = new TableStep({
  list: "capRowLimits",
  table: "cap",
  cells: (row) => [
    row.id,
    row.limit_micros,
    row.budget_micros,
    row.carried_micros,
    row.raised_micros,
    row.lowered_from_micros,
  ],
  action: { kind: "update", key: ["id"] },
});

/** Earlier versions moved the limit here as well. */
export const capStep = new TableStep({
  list: "caps",
  table: "cap",
  cells: (row) => [row.id, row.held_micros, row.spent_micros, row.limit_micros],
  action: { kind: "add", key: ["id"] },
});

export const capEndStep = new TableStep({
  list: "capEnds",
  table: "cap",
  cells: (row) => [row.id, row.closes_at_ms],
  action: { kind: "update", key: ["id"] },
});

/** The ledger's own steps of a batch; the rows of others follow, with their own steps. */
export const ledgerSteps: Program = [
  holdStep,
  taskHoldStep,
  closeStep,
  entryStep,
  accountStep,
  keyStep,
  capRowStep,
  capLimitStep,
  capStep,
  capEndStep,
];

/** Holds of requests, which at a start are those of a process that is dead. */
export async function listRequestHolds(database: Database, limit: number) {
  return await database
    .selectFrom("hold")
    .select(["id", "account_id", "key_id", "group_name", "model", "micros", "price"])
    .select(["created_at_ms", "caps"])
    .where("kind", "=", "request")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Counts of the rows that are to be verified. */
export const countBook = `select (select count(*) from ledger_account) as accounts,
  (select count(*) from entry) as entries,
  (select count(*) from hold) as holds, (select count(*) from ledger_key) as keys`;

/** Charges behind an id, in the order of ids, so many at once. */
export async function listPosts(database: Database, afterId: string, limit: number) {
  return await database
    .selectFrom("entry")
    .select(["id", "account_id", "key_id", "micros", "at_ms"])
    .where("kind", "=", "post")
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();
}

export function selectAccountBalances(database: Database, ids: readonly AccountId[]) {
  return database.selectFrom("account_balance").selectAll().where("account_id", "in", ids);
}

export function selectKeyBalance(database: Database, id: KeyId) {
  return database
    .selectFrom("key_balance")
    .select(["key_id", "account_id", "limit_micros", "held_micros", "spent_micros"])
    .where("key_id", "=", id);
}

export function selectCaps(database: Database, ids: readonly string[]) {
  return database.selectFrom("cap_balance").selectAll().where("id", "in", ids);
}

/** Ids of the caps of holds that have any. */
export function selectHeldCaps(database: Database, holdIds: readonly string[]) {
  return database
    .selectFrom("hold")
    .select(["id", "caps"])
    .where("id", "in", holdIds)
    .where("caps", "is not", null);
}

/**
 * The sum of each account's or key's lines: summed once, not again for every one of them. No column
 * alone, because an index by it would lead to each line in turn instead of through all.
 */
const sumsOf = (owner: "account_id" | "key_id", table: string, kind?: EntryTable["kind"]) =>
  `(select ${owner} || '' as ${owner}, sum(micros) as micros from ${table}
    ${kind ? `where kind = '${kind}'` : ""} group by ${owner} || '')`;

const capSums = (lines: "cap_hold" | "cap_post") =>
  `(select cap_id, sum(micros) as micros from ${lines} group by cap_id)`;

/**
 * Each query returns the rows that break the invariant it is named after. Windows
 * of channels count what requests cost, which no entry has.
 */
export const invariants: Readonly<Record<string, string>> = {
  "an account's granted is available plus held plus spent": `
    select account_id as id, granted_micros, available_micros, held_micros, spent_micros
    from account_balance where granted_micros <> available_micros + held_micros + spent_micros`,
  "an account's granted is the sum of its grants": `
    select a.account_id as id, a.granted_micros, coalesce(e.micros, 0) as entries_micros
    from account_balance a left join ${sumsOf("account_id", "entry", "grant")} e
    on e.account_id = a.account_id where a.granted_micros <> coalesce(e.micros, 0)`,
  "an account's spent is the sum of its posts": `
    select a.account_id as id, a.spent_micros, coalesce(e.micros, 0) as entries_micros
    from account_balance a left join ${sumsOf("account_id", "entry", "post")} e
    on e.account_id = a.account_id where a.spent_micros <> coalesce(e.micros, 0)`,
  "an account's held is the sum of its open holds": `
    select a.account_id as id, a.held_micros, coalesce(h.micros, 0) as holds_micros
    from account_balance a left join ${sumsOf("account_id", "hold")} h
    on h.account_id = a.account_id where a.held_micros <> coalesce(h.micros, 0)`,
  "a limited account is never overdrawn": `
    select account_id as id, available_micros from account_balance
    where unlimited = 0 and available_micros < 0`,
  "a key's spent is the sum of its posts": `
    select k.key_id as id, k.spent_micros, coalesce(e.micros, 0) as entries_micros
    from key_balance k left join ${sumsOf("key_id", "entry", "post")} e
    on e.key_id = k.key_id where k.spent_micros <> coalesce(e.micros, 0)`,
  "a key's held is the sum of its open holds": `
    select k.key_id as id, k.held_micros, coalesce(h.micros, 0) as holds_micros
    from key_balance k left join ${sumsOf("key_id", "hold")} h
    on h.key_id = k.key_id where k.held_micros <> coalesce(h.micros, 0)`,
  "what is lent of a key is what nodes have of it": `
    select key_id as id, lent_micros, sliced_micros from key_balance
    where lent_micros <> sliced_micros`,
  "a cap's spent is the sum of the posts that name it": `
    select c.id as id, c.spent_micros, coalesce(e.micros, 0) as entries_micros
    from cap_balance c left join ${capSums("cap_post")} e
    on e.cap_id = c.id where c.spent_micros <> coalesce(e.micros, 0)
      and c.id not like '%/chn!_%' escape '!'`,
  "a cap's held is the sum of the open holds that name it": `
    select c.id as id, c.held_micros, coalesce(h.micros, 0) as holds_micros
    from cap_balance c left join ${capSums("cap_hold")} h
    on h.cap_id = c.id where c.held_micros <> coalesce(h.micros, 0)`,
  "a hard cap is never past the highest limit that it had": `
    select id, spent_micros, held_micros, limit_micros, lowered_from_micros from cap_balance
    where mode = 'hard' and spent_micros + held_micros > limit_micros
      and spent_micros + held_micros > lowered_from_micros`,
  "what is lent of a cap is what nodes have of it": `
    select id, lent_micros, sliced_micros from cap_balance where lent_micros <> sliced_micros`,
  "a cap that a hold or a post names is there": `
    select l.cap_id as id from (select cap_id from cap_hold union select cap_id from cap_post) l
    where not exists (select 1 from cap c where c.id = l.cap_id)`,
  "a closed hold is not open": `
    select h.id as id, (select e.kind from entry e where e.id = h.id) as kind from hold h
    where exists (select 1 from entry e where e.id = h.id)`,
  "a void costs nothing and a post has a price": `
    select id, kind, micros, price from entry
    where (kind = 'void' and micros <> 0) or (kind = 'post' and price is null)`,
  "an entry's key belongs to the entry's account": `
    select e.id as id, e.key_id, e.account_id from entry e join ledger_key k on k.key_id = e.key_id
    where k.account_id <> e.account_id`,
};

const limitOfParts = sql<number>`case when budget_micros + carried_micros + raised_micros < 0
  then 0 else budget_micros + carried_micros + raised_micros end`;

/** Open windows whose limit is not what the parts of it make: an earlier version moved it. */
export function selectUnexplainedLimits(database: Database, nowMs: number) {
  return database
    .selectFrom("cap")
    .select(["id", "budget_id", "account_id", "subject_id", "limit_micros", "budget_micros"])
    .select(["carried_micros", "raised_micros"])
    .where((row) => row.or([row("closes_at_ms", "is", null), row("closes_at_ms", ">", nowMs)]))
    .where("limit_micros", "<>", limitOfParts);
}

export async function findEntry(database: Database, id: string): Promise<EntryTable | null> {
  const row = await database
    .selectFrom("entry")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

export async function readPrices(database: Database): Promise<PriceTable[]> {
  return await database.selectFrom("price").selectAll().orderBy("model").execute();
}

export async function writePrice(database: Database, row: PriceTable): Promise<void> {
  await writeOfPrice(database, row).execute();
}

export function writeOfPrice(database: Database, row: PriceTable) {
  const { model: _model, ...changes } = row;
  return database
    .insertInto("price")
    .values(row)
    .onConflict((conflict) => conflict.column("model").doUpdateSet(changes));
}

export async function deletePrice(database: Database, model: string): Promise<void> {
  await removeOfPrice(database, model).execute();
}

export function removeOfPrice(database: Database, model: string) {
  return database.deleteFrom("price").where("model", "=", model);
}

/** Rows of the list by the public names of their models. */
export async function readListRows(database: Database): Promise<Map<string, ListRow>> {
  const rows = await database.selectFrom("list_row").selectAll().execute();
  return new Map(rows.map(({ model, document }) => [model, JSON.parse(document)]));
}

/** All of them in one commit. */
export async function writeListRows(
  database: Database,
  rows: ReadonlyMap<string, ListRow>,
): Promise<void> {
  const values = [...rows].map(([model, row]) => ({ model, document: JSON.stringify(row) }));
  await database
    .insertInto("list_row")
    .values(values)
    .onConflict((conflict) =>
      conflict.column("model").doUpdateSet({ document: ({ ref }) => ref("excluded.document") }),
    )
    .execute();
}
