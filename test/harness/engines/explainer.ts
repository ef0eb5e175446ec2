// A store that answers every statement by having its engine explain it.
import type { CompiledQuery, RawBuilder } from "kysely";
import { usageLogMigrations } from "../../../src/observe/versions/queries.ts";
import { createDatabase, toStatement, type Database } from "../../../src/store/database.ts";
import { bindLog } from "../../../src/store/log.ts";
import { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import { toVersions } from "../../../src/store/sqlite/dialect.ts";
import { mainVersions } from "../../../src/store/sqlite/open.ts";
import type { Row, Statement, Store } from "../../../src/store/store.ts";
import { newDatabase, openDatabase } from "../postgres.ts";

type Ask = (statement: Statement) => Promise<Row[]>;

interface Engine {
  dialect: Store["dialect"];
  main: Ask;
  log: Ask;
  close(): Promise<void>;
}

export class Explainer {
  readonly store: Store;
  readonly database: Database;
  readonly refusals: string[] = [];
  /** Statements that were understood. */
  count = 0;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
    const all = async (ask: Ask, statements: readonly Statement[] = []) => {
      for (const statement of statements) await this.#ask(ask, statement);
      return statements.map((): Row[] => []);
    };
    this.store = {
      dialect: engine.dialect,
      read: (statement) => this.#ask(engine.main, statement),
      readLog: (statement) => this.#ask(engine.log, statement),
      commit: ({ statements }) => all(engine.main, statements),
      writeLog: async ({ statements }) => void (await all(engine.log, statements)),
      append: async () => {},
      applied: async () => {},
      logApplied: async () => {},
      close: async () => {},
    };
    this.database = createDatabase(this.store);
  }

  /** A function is called, and what it gives explained if it is a query that nobody has asked. */
  async explain(value: unknown, words: readonly unknown[]): Promise<void> {
    const before = this.count;
    const given: unknown = typeof value === "function" ? await value(...words) : value;
    // A text that a function has read is a value.
    if (typeof given === "string" && this.count > before) return;
    for (const query of [given].flat(3)) await this.#explainQuery(query);
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }

  async #explainQuery(query: unknown): Promise<void> {
    if (typeof query === "string") {
      await this.#ask(this.#engine.main, { sql: query, parameters: [] });
      return;
    }
    if (typeof query !== "object" || query === null) return;
    if ("query" in query) return await this.#explainQuery(query.query);
    if ("isRawBuilder" in query) {
      const statement = bindLog(query as RawBuilder<unknown>, this.#engine.dialect);
      await this.#ask(this.#engine.log, statement);
    } else if ("compile" in query) {
      const { compile } = query as { compile(): CompiledQuery };
      await this.#ask(this.#engine.main, toStatement(compile.call(query)));
    }
  }

  async #ask(ask: Ask, { sql, parameters }: Statement): Promise<Row[]> {
    try {
      await ask({ sql: `explain ${sql}`, parameters });
      this.count++;
    } catch (error) {
      this.refusals.push(`${error instanceof Error ? error.message : "refused"}: ${sql}`);
    }
    return [];
  }
}

export async function openExplainers(): Promise<Explainer[]> {
  return [new Explainer(openFiles()), new Explainer(await openServer())];
}

function openFiles(): Engine {
  const [main, log] = [mainVersions(), toVersions(usageLogMigrations)].map((versions) => {
    const connection = new SqliteConnection({ path: ":memory:" });
    connection.migrate(versions);
    return connection;
  });
  if (!main || !log) throw new Error("there are two of them");
  return {
    dialect: "sqlite",
    main: async (statement) => main.all(statement),
    log: async (statement) => log.all(statement),
    async close() {
      main.close();
      log.close();
    },
  };
}

async function openServer(): Promise<Engine> {
  const store = await openDatabase(await newDatabase());
  return {
    dialect: "postgres",
    main: (statement) => store.read(statement),
    log: (statement) => store.readLog(statement),
    close: () => store.close(),
  };
}
