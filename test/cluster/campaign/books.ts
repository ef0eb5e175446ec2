// Invariants of the books after every fault, and at the end: `sluice ledger verify` itself, and
// everything that clients were told against its entry.
import { verifySource } from "../../../src/app/books/verify-books.ts";
import { readStill } from "../../../src/store/postgres/read-still.ts";
import type { Row } from "../../../src/store/store.ts";
import type { Databases } from "./databases.ts";
import { chatModels, longModel } from "./load.ts";
import type { Seen } from "./seen.ts";

type Read = (sql: string) => Promise<Row[]>;

const usageDays = 30;

/** Each query returns the rows that break what it is named after. */
const lentBooks: Readonly<Record<string, string>> = {
  "what is lent of an account is what nodes have of it": `
    select a.account_id as id, a.lent_micros, coalesce(sum(s.granted_micros), 0) as sliced_micros
    from ledger_account a left join ledger_slice s on s.account_id = a.account_id
    group by a.account_id, a.lent_micros having a.lent_micros <> coalesce(sum(s.granted_micros), 0)`,
  "no node has more than it was lent": `
    select node_id, account_id from ledger_slice where unlimited = 0 and available_micros < 0`,
  "no key is past its limit": `
    select key_id as id, limit_micros, held_micros, spent_micros from key_balance
    where held_micros + spent_micros > limit_micros`,
};

/** In one moment of the database, while everything runs. */
export async function checkBooks(databases: Databases, seen: Seen): Promise<string[]> {
  // Taken before the moment: what was acknowledged by then must be in it.
  const fresh = seen.takeFresh();
  return await databases.persist(async () => {
    const { url } = databases;
    const { violations } = await verifySource({ databaseUrl: url, dataFolder: "" }, usageDays);
    const more = await inOneMoment(url, async (read) => [
      ...(await checkLent(read)),
      ...(await checkFresh(read, fresh)),
    ]);
    return [...violations.map(({ invariant, row }) => `${invariant}: ${row}`), ...more];
  });
}

async function inOneMoment<Result>(
  url: string,
  work: (read: Read) => Promise<Result>,
): Promise<Result> {
  return await readStill(url, (read) => work((sql) => read({ sql, parameters: [] })));
}

async function checkLent(read: Read): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, sql] of Object.entries(lentBooks)) {
    for (const row of await read(sql)) broken.push(`${name}: ${JSON.stringify(row)}`);
  }
  return broken;
}

async function checkFresh(
  read: Read,
  { acknowledged, refused }: ReturnType<Seen["takeFresh"]>,
): Promise<string[]> {
  const ids = [...acknowledged.map(({ id }) => id), ...refused].map((id) => `'${id}'`);
  const rows = await read(`select id, account_id, micros from entry
    where kind = 'post' and id in (${ids.join(", ") || "''"})`);
  const posts = new Map(rows.map((row) => [row["id"], row]));
  const wrong = acknowledged.flatMap(({ id, accountId, micros }) => {
    const post = posts.get(id);
    if (!post) return [`lost: ${id} was answered and is not charged`];
    const isRight = post["account_id"] === accountId && post["micros"] === micros;
    return isRight ? [] : [`${id} is charged ${String(post["micros"])} instead of ${micros}`];
  });
  const charged = refused.filter((id) => posts.has(id));
  return [...wrong, ...charged.map((id) => `${id} was refused and is charged`)];
}

/** Once nothing is under way any more. */
export async function checkEnd(databases: Databases, seen: Seen): Promise<string[]> {
  return await databases.persist(() =>
    inOneMoment(databases.url, async (read) => [
      ...(await checkCharges(read, seen)),
      ...(await checkCredits(read, seen)),
      ...(await checkTasks(read, seen)),
      ...(await checkHolds(read)),
      ...(await checkDiedLate(read, seen)),
    ]),
  );
}

/** Nobody is charged who was told no, and nobody more often than they were served. */
async function checkCharges(read: Read, seen: Seen): Promise<string[]> {
  const models = chatModels.map(({ model }) => `'${model}'`).join(", ");
  const posts = await read(
    `select id, account_id from entry where kind = 'post' and model in (${models})`,
  );
  const counts = new Map<string, number>();
  const broken: string[] = [];
  for (const post of posts) {
    const [id, account] = [String(post["id"]), String(post["account_id"])];
    counts.set(account, (counts.get(account) ?? 0) + 1);
    if (seen.refused.has(id)) broken.push(`${id} was refused and is charged`);
  }
  for (const [account, count] of counts) {
    const most = seen.chargeable.get(account) ?? 0;
    if (count > most) broken.push(`${account} is charged ${count} times for ${most} requests`);
  }
  return broken;
}

async function checkCredits(read: Read, seen: Seen): Promise<string[]> {
  const rows = await read("select id, micros from entry where id like 'credit_top-up-%'");
  const booked = new Map(rows.map((row) => [String(row["id"]), Number(row["micros"])]));
  const lost = seen.credits.filter(({ id, micros }) => booked.get(`credit_${id}`) !== micros);
  return lost.map(({ id, micros }) => `the credit ${id} of ${micros} was confirmed and is lost`);
}

/** A task of any node: charged once and whole, or paid back. */
async function checkTasks(read: Read, seen: Seen): Promise<string[]> {
  const rows = await read(
    `select t.id, t.state, e.kind, e.micros, t.account_id from task t
      left join entry e on e.id = t.id`,
  );
  const byId = new Map(rows.map((row) => [String(row["id"]), row]));
  const open = rows.filter(({ state }) => state !== "completed" && state !== "failed");
  const wrong = seen.tasks.flatMap(({ id, accountId, micros }) => {
    const row = byId.get(id);
    const wanted =
      row?.["state"] === "completed" ? ["post", micros, accountId] : ["void", 0, accountId];
    const actual = [row?.["kind"], row?.["micros"], row?.["account_id"]];
    const isRight = JSON.stringify(wanted) === JSON.stringify(actual);
    return isRight ? [] : [`the task ${id} is ${String(row?.["state"])} with ${String(actual)}`];
  });
  return [...open.map(({ id }) => `the task ${String(id)} has not ended`), ...wrong];
}

async function checkHolds(read: Read): Promise<string[]> {
  const rows = await read("select id, kind from hold");
  return rows.map((row) => `still held: ${JSON.stringify(row)}`);
}

/** Work that a vendor had for long is in the books and the log, though nobody was left to tell. */
async function checkDiedLate(read: Read, { diedLate }: Seen): Promise<string[]> {
  const broken: string[] = [];
  for (const table of ["entry", "sluice_log.usage_log"]) {
    const [row] = await read(`select count(*) as known from ${table} where model = '${longModel}'`);
    const known = Number(row?.["known"]);
    if (known < diedLate) broken.push(`${table} knows ${known} of ${diedLate} that died late`);
  }
  return broken;
}

/**
 * Slices of an account on nodes that have taken no turn since then: nobody else can have changed
 * these rows meanwhile, and whoever was refused since was refused although this was there.
 */
export async function readStranded(
  databases: Databases,
  accountId: string,
  sinceMs: number,
): Promise<number> {
  const rows = await databases.ask(`select s.granted_micros - s.spent_micros as micros,
      extract(epoch from clock_timestamp() - n.lease_until) * 1000 + n.ttl_ms as silent_ms
    from ledger_slice s join node n on n.id = s.node_id
    where s.account_id = '${accountId}' and n.state = 'live'`);
  const passedMs = performance.now() - sinceMs;
  const silent = rows.filter((row) => Number(row["silent_ms"]) > passedMs);
  return silent.reduce((sum, row) => sum + Number(row["micros"]), 0);
}

/** Totals of the books, for whoever reads the report. */
export async function sumBooks(databases: Databases): Promise<Row> {
  const [row] = await databases.persist(() =>
    inOneMoment(databases.url, (read) =>
      read(`select count(*) filter (where kind = 'post') as posts,
        cast(sum(micros) filter (where kind = 'post') as bigint) as posted_micros,
        cast(sum(micros) filter (where kind = 'grant') as bigint) as granted_micros,
        cast(sum(loss_micros) as bigint) as possible_loss_micros,
        count(*) filter (where reason = 'recovered') as holds_of_the_dead from entry`),
    ),
  );
  return row ?? {};
}
