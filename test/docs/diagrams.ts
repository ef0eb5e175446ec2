// The diagrams of docs/diagrams.md that are made from data: states, threads and tables from the
// code, the path of a request from ARCHITECTURE.md with its codes held against the catalogue.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { threads } from "../../bin/bundle.mjs";
import { catalogue, GatewayError, type ErrorCode } from "../../src/core/errors.ts";
import { statusOf } from "../../src/http/envelopes/status.ts";
import { usageLogMigrations } from "../../src/observe/versions/queries.ts";
import { SqliteConnection } from "../../src/store/sqlite/connection.ts";
import { toVersions } from "../../src/store/sqlite/dialect.ts";
import { mainVersions } from "../../src/store/sqlite/open.ts";
import { shownStates, transitions, type TaskState } from "../../src/tasks/task.ts";

const root = join(import.meta.dir, "..", "..");
const marks = /(<!-- diagram: (\w+) -->\n\n)[^]*?(\n\n<!-- end of diagram -->)/g;

const makers: Readonly<Record<string, () => string>> = {
  request: requestPath,
  states: taskStates,
  threads: threadStarts,
  tables: tableLinks,
};

/** The page with every diagram between marks made anew. */
export function diagramsPage(page: string): string {
  return page.replace(marks, (_, open: string, name: string, close: string) => {
    const make = makers[name];
    if (!make) throw new Error(`diagrams.md asks for ${name}, which nothing makes`);
    return `${open}\`\`\`mermaid\n${make()}\n\`\`\`${close}`;
  });
}

interface Step {
  name: string;
  does: string;
  exits: string;
  /** One of two ways that an answer may go. */
  isWay: boolean;
}

function requestPath(): string {
  const steps = requestSteps();
  /** Steps that follow one another; the two ways of an answer stand beside each other. */
  const levels: number[][] = [];
  for (const [at, { isWay }] of steps.entries()) {
    const last = levels.at(-1);
    if (isWay && last && steps[last[0] ?? 0]?.isWay) last.push(at);
    else levels.push([at]);
  }
  const links = levels.flatMap((level, depth) =>
    (levels[depth - 1] ?? []).flatMap((from) => level.map((to) => `  s${from} --> s${to}`)),
  );
  const nodes = steps.flatMap(({ name, does, exits }, at) => [
    `  s${at}["${name}<br/>${does}"]`,
    ...(exits === "" ? [] : [`  s${at} -.-> e${at}(["${exits}"])`]),
  ]);
  return ["flowchart TD", ...nodes, ...links].join("\n");
}

/** The column of the picture in ARCHITECTURE.md that has how a request may end there. */
const exitsAt = 64;

function requestSteps(): Step[] {
  const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const [, picture = ""] = /^## The path of a request$[^]*?^```\n([^]*?)^```$/m.exec(page) ?? [];
  const steps: Step[] = [];
  for (const line of picture.split("\n")) {
    const [, name = "", way] = /^ {0,4}((whole|stream)(?=:)|[\w-]+\/[\w./-]*)/.exec(line) ?? [];
    if (name !== "") steps.push({ name, does: "", exits: "", isWay: way !== undefined });
    const step = steps.at(-1);
    if (step) addWords(step, line.replace(name, " ".repeat(name.length)));
  }
  return steps.map(({ does, exits, ...step }) => {
    assertExits(exits);
    return { ...step, does: trimmed(does), exits: trimmed(exits) };
  });
}

/** An exit stands in its column, behind a gap; words that are longer than theirs have none. */
function addWords(step: Step, line: string): void {
  const hasExit = /^(?: {2}|$)/.test(line.slice(exitsAt - 2)) || line.length < exitsAt;
  const split = hasExit ? exitsAt : line.length;
  step.does += ` ${line
    .slice(0, split)
    .replace(/^[ :]+/, "")
    .trimEnd()}`;
  step.exits += ` ${line.slice(split).trim()}`;
}

function trimmed(words: string): string {
  return words.trim().replace(/[,;:]$/, "");
}

/** Each code has the status that it is listed under. */
function assertExits(exits: string): void {
  let status = 0;
  for (const [word] of exits.matchAll(/\d{3}|[a-z]+(?:_[a-z]+)+/g)) {
    if (/\d/.test(word)) status = Number(word);
    else if (!isCode(word)) throw new Error(`ARCHITECTURE.md names ${word}, which is no code`);
    else if (statusOf(new GatewayError(word)) !== status)
      throw new Error(`ARCHITECTURE.md has ${word} under ${status}`);
  }
}

function isCode(word: string): word is ErrorCode {
  return word in catalogue;
}

function taskStates(): string {
  const states = Object.keys(transitions) as TaskState[];
  const links = states.flatMap((state) =>
    transitions[state].length === 0
      ? [`  ${state} --> [*]`]
      : transitions[state].map((next) => `  ${state} --> ${next}`),
  );
  const shown = states
    .filter((state) => shownStates[state] !== state)
    .map((state) => `  ${state} : ${state}, shown as ${shownStates[state]}`);
  return ["stateDiagram-v2", "  [*] --> submitting", ...links, ...shown].join("\n");
}

/** Starters of the threads that the bundle has an entry for. */
function threadStarts(): string {
  const sources = [...new Bun.Glob("src/**/*.ts").scanSync({ cwd: root })]
    .filter((path) => !path.endsWith(".test.ts"))
    .toSorted();
  const lines = threads.toSorted().map((thread, at) => {
    const name = thread.split("/").at(-1) ?? "";
    const start = `new URL("./${name}"`;
    const starter = sources.find((path) => readFileSync(join(root, path), "utf8").includes(start));
    if (starter === undefined) throw new Error(`nothing starts ${thread}`);
    return `  main["main thread"] -- "${starter.replace("src/", "")}" --> t${at}["${thread}"]`;
  });
  return ["flowchart LR", ...lines].join("\n");
}

function tableLinks(): string {
  const main = linksIn(mainVersions());
  const log = linksIn(toVersions(usageLogMigrations));
  return ["erDiagram", ...main, ...log].join("\n");
}

/** Table that a column names by its name: `account_id` an account, `key_id` an API key. */
function linksIn(versions: string[][]): string[] {
  using connection = opened(versions);
  const rows = connection.all(
    "select t.name as at, c.name as cell from sqlite_master t, pragma_table_info(t.name) c " +
      "where t.type = 'table' and t.name not like 'sqlite_%' order by 1, c.cid",
  );
  const tables = [...new Set(rows.map(({ at }) => at))];
  return tables.flatMap((table) => {
    const links = rows
      .filter(({ at }) => at === table)
      .flatMap(({ cell }) => {
        const named = cell === "key_id" ? "api_key" : cell.replace(/_id$/, "");
        const isLink = cell.endsWith("_id") && named !== table && tables.includes(named);
        return isLink ? [`  ${named} ||--o{ ${table} : ${cell}`] : [];
      });
    return links.length > 0 ? links : [`  ${table}`];
  });
}

function opened(versions: string[][]) {
  const connection = new SqliteConnection({ path: ":memory:", programs: {} });
  connection.migrate(versions);
  return {
    all: (sql: string) =>
      connection
        .all({ sql, parameters: [] })
        .map(({ at, cell }) => ({ at: String(at), cell: String(cell) })),
    [Symbol.dispose]: () => connection.close(),
  };
}
