// The turns of a node on PostgreSQL: one statement each, on a connection of their own.
import type { Program, Step } from "../../step.ts";
import {
  RoundRefused,
  type Folded,
  type NodeRow,
  type NodeRound,
  type RoundReply,
  type CommitRounds,
} from "../../turns.ts";
import type { Row } from "../../store.ts";
import type { PostgresConnection, Session } from "../connection.ts";
import type { Notices } from "../notices.ts";
import type { ConnectionPool } from "../pool.ts";
import { storableDocument } from "../storable.ts";
import { PostgresError } from "../store-error.ts";
import { turnFunctions, type TurnFunctions } from "./functions.ts";

/** Lists that the turn itself knows what to do with; all others are steps of the program. */
const ownLists = new Set([
  "holds",
  "taskHolds",
  "closed",
  "entries",
  "accounts",
  "keys",
  "capRows",
  "caps",
  "capEnds",
  "creates",
]);

const channelOfRecalls = "sluice_recall";
const refusals = new Map([
  ["SL001", "fenced"],
  ["SL002", "history_lost"],
] as const);
/** Data, constraints, syntax and what our own functions raise: no repetition mends these. */
const lasting = /^(?:SL|22|23|42|P0)/;

export function joinedSteps(program: Program): Step[] {
  return program.filter(({ list }) => !ownLists.has(list));
}

/** Under the lock of the start. */
export async function createTurnFunctions(
  session: Session,
  { joined, logged }: { joined: string; logged: string },
): Promise<TurnFunctions> {
  const functions = turnFunctions({
    joined: `perform ${joined}(v_doc);`,
    logged: `perform ${logged}(p_logged);`,
  });
  for (const statement of functions.statements) await session.ask(statement);
  return functions;
}

interface CommitRoundsNeeds {
  /** For turns alone: they are taken one at a time, and nothing else may hold them up. */
  connection: PostgresConnection;
  pool: ConnectionPool;
  notices: Notices;
  functions: TurnFunctions;
}

export function openCommitRounds({
  connection,
  pool,
  notices,
  functions,
}: CommitRoundsNeeds): CommitRounds {
  const ask = (sql: string, parameters: readonly (string | number | null)[] = []) =>
    pool.use((one) => one.ask(sql, parameters));
  return {
    async join(node, ttlMs, { name, version }) {
      const sql = `insert into node (id, lease_until, ttl_ms, name, version)
        values ($1, clock_timestamp() + $2::bigint * interval '1 ms', $2::bigint, $3, $4)`;
      await connection.ask(sql, [node, ttlMs, name, version]);
    },
    take: (turn) => takeRound(connection, functions, turn),
    async leave(node) {
      const sql = "update node set state = 'dead', lease_until = clock_timestamp() where id = $1";
      await ask(sql, [node]);
    },
    async reap() {
      const { rows } = await ask(`select ${functions.reap}() as id`);
      return rows.map(({ id }) => String(id));
    },
    async fold({ accountsMax, atMs, holdIds, logged }) {
      const sql = `select ${functions.fold}($1::bigint, $2::bigint, $3::text::jsonb,
        $4::text::jsonb)::text as folded`;
      const records = logged === undefined ? null : storableDocument(logged);
      const { rows } = await ask(sql, [accountsMax, atMs, JSON.stringify(holdIds), records]);
      const folded: Folded = JSON.parse(String(rows[0]?.["folded"]));
      return folded;
    },
    async tidy() {
      await ask(`select ${functions.tidy}()`);
    },
    async countLive() {
      const { rows } = await ask("select count(*) as live from node where state = 'live'");
      return Number(rows[0]?.["live"] ?? 1);
    },
    async isLive(node) {
      const sql = "select id from node where id = $1 and state = 'live'";
      return (await ask(sql, [node])).rows.length > 0;
    },
    list: async () => (await ask(nodesSql)).rows.map(toNode),
    async announceLeaving(node) {
      await ask("update node set is_leaving = 1 where id = $1", [node]);
    },
    hearRecalls: (heard) => void notices.hear(channelOfRecalls, heard),
  };
}

const milliseconds = (moment: string) => `cast(extract(epoch from ${moment}) * 1000 as bigint)`;

const nodesSql = `select id, name, version,
    case when state = 'dead' or lease_until <= clock_timestamp() then 'dead'
      when is_leaving = 1 then 'leaving' else 'live' end as state,
    ${milliseconds("started_at")} as started, ${milliseconds("lease_until")} as until,
    ${milliseconds("lease_until - ttl_ms * interval '1 ms'")} as turned,
    coalesce((select sum(granted_micros - spent_micros) from ledger_slice s
      where s.node_id = n.id and s.unlimited = 0), 0) as lent
  from node n order by state = 'dead', name, started_at, id`;

function toNode(row: Row): NodeRow {
  const { id, name, version, state, started, until, turned, lent } = row;
  const isDead = state === "dead";
  return {
    id: String(id),
    name: String(name),
    version: String(version),
    state: isDead ? "dead" : state === "leaving" ? "leaving" : "live",
    startedAtMs: Number(started),
    leaseUntilMs: Number(until),
    // One that left on its own has no lease from which its last turn could be told.
    turnedAtMs: turned === null || isDead ? null : Number(turned),
    lentMicros: Number(lent),
  };
}

async function takeRound(
  connection: PostgresConnection,
  functions: TurnFunctions,
  { node, seq, ttlMs, document, logged }: NodeRound,
): Promise<RoundReply> {
  const sql = `select ${functions.turn}($1, $2::bigint, $3::bigint, $4::text::jsonb,
    $5::text::jsonb)::text as reply`;
  const rest = logged === undefined ? null : storableDocument(logged);
  try {
    const parameters = [node, seq, ttlMs, storableDocument(document), rest];
    const { rows } = await connection.ask(sql, parameters);
    const reply: RoundReply = JSON.parse(String(rows[0]?.["reply"]));
    return reply;
  } catch (error) {
    throw toRefusal(error);
  }
}

/** Errors that may pass, and turns lost on the way, are sent again. */
function toRefusal(error: unknown): unknown {
  if (!(error instanceof PostgresError) || error.state === null) return error;
  const { state, message } = error;
  const reason = state === "SL001" || state === "SL002" ? refusals.get(state) : undefined;
  if (reason !== undefined) return new RoundRefused(reason, message);
  return lasting.test(state) ? new RoundRefused("refused", `${state} ${message}`) : error;
}
