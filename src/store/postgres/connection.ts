// One connection to PostgreSQL. The platform's client waits for a silent server for ever, so every
// answer has a time of its own here; what was waited for in vain ends with its connection, and the
// next question opens another.
import { SQL } from "bun";
import type { Stop, Timers } from "../../core/clock.ts";
import type { Row, Value } from "../store.ts";
import { PostgresError, toPostgresError } from "./store-error.ts";
import { storable } from "./storable.ts";

interface Reply {
  rows: Row[];
  /** Rows that were changed, or read. */
  count: number;
}

export interface ConnectionNeeds {
  url: string;
  timers: Timers;
  /** Time that the server may work on one statement; 0: as long as it takes. */
  statementMsMax: number;
  /** Time that the server keeps it while nothing is asked; without it, for ever. */
  idleMsMax?: number;
}

/** Steps of a transaction, on the one connection that it is on. */
export interface Session {
  ask(sql: string, parameters?: readonly Value[]): Promise<Reply>;
}

type Asking = Pick<SQL, "unsafe">;

export const mainSchema = "sluice";
export const logSchema = "sluice_log";
const connectSecondsMax = 5;
/** On top of what the server itself may take. */
const silenceMsMax = 3000;

export class PostgresConnection implements Session {
  readonly #needs: ConnectionNeeds;
  #client: SQL | null = null;

  constructor(needs: ConnectionNeeds) {
    this.#needs = needs;
  }

  ask(sql: string, parameters: readonly Value[] = []): Promise<Reply> {
    return this.#ask(this.#opened(), sql, parameters);
  }

  /** Everything that the work asks goes over one and the same connection, or fails. */
  async together<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const client = this.#opened();
    const reserved = await this.#inTime(client.reserve());
    try {
      return await work({ ask: (sql, parameters = []) => this.#ask(reserved, sql, parameters) });
    } finally {
      if (this.#client === client) reserved.release();
    }
  }

  /** Lets go of what is open; the next question opens it anew. */
  drop(): void {
    const client = this.#client;
    this.#client = null;
    client?.close({ timeout: 0 }).catch(() => {});
  }

  #opened(): SQL {
    const { url, statementMsMax, idleMsMax = 0 } = this.#needs;
    this.#client ??= new SQL({
      url,
      adapter: "postgres",
      max: 1,
      idleTimeout: 0,
      maxLifetime: 0,
      connectionTimeout: connectSecondsMax,
      bigint: true,
      connection: {
        application_name: "sluice",
        search_path: `${mainSchema}, ${logSchema}`,
        // Turned on by a dear plan, it takes longer than any statement of ours.
        jit: "off",
        statement_timeout: String(statementMsMax),
        idle_in_transaction_session_timeout: "60000",
        idle_session_timeout: String(idleMsMax),
      },
    });
    return this.#client;
  }

  async #ask(asking: Asking, sql: string, parameters: readonly Value[]): Promise<Reply> {
    const rows: RawRow[] & { count?: number } = await this.#inTime(
      asking.unsafe(sql, parameters.map(storable)),
    );
    return { rows: rows.map(toRow), count: rows.count ?? 0 };
  }

  async #inTime<Result>(answer: Promise<Result>): Promise<Result> {
    const { statementMsMax, timers } = this.#needs;
    let stop: Stop | undefined;
    const late = new Promise<never>((_, reject) => {
      if (statementMsMax === 0) return;
      stop = timers.after(statementMsMax + silenceMsMax, () => {
        reject(new PostgresError("io", "the database did not answer in time", null));
        this.drop();
      });
    });
    try {
      return await Promise.race([answer, late]);
    } catch (thrown) {
      const error = toPostgresError(thrown);
      if (error instanceof PostgresError && (error.isLost || error.isStale)) this.drop();
      throw error;
    } finally {
      stop?.();
    }
  }
}

type RawRow = Record<string, Value | bigint | boolean>;

/** Whole numbers are as those of every engine; none of ours is larger than a number can hold. */
function toRow(raw: RawRow): Row {
  const row: Record<string, Value> = {};
  for (const column in raw) {
    const value = raw[column] ?? null;
    row[column] = typeof value === "bigint" || typeof value === "boolean" ? Number(value) : value;
  }
  return row;
}
