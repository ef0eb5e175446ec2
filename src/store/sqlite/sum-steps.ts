// Steps that sum up the same new rows. The rows are gathered once by all that any of the steps
// tells them apart by, in a table of this connection alone: that leaves a few groups of thousands
// of rows, of which each step then makes its sums. Summing the rows for each step by itself took
// twice as long (measured with the four sums of the usage log).
import type { Database, Statement as Prepared } from "bun:sqlite";
import { boundNames } from "../bound-names.ts";
import type { Fragment, Step } from "../step.ts";
import type { Value } from "../store.ts";

export type SumStep = Step & { action: Extract<Step["action"], { kind: "sum" }> };

export class SumSteps {
  readonly list: string;
  readonly #database: Database;
  readonly #create: string;
  readonly #gather: Prepared<unknown, Value[]>;
  readonly #rest: readonly Prepared<unknown, Value[]>[];

  /** All of the same list and table. */
  constructor(database: Database, { list, action }: SumStep, steps: readonly SumStep[]) {
    this.list = list;
    const gathered = new Gathered(action.of, steps);
    this.#database = database;
    this.#create = gathered.create;
    database.run(gathered.create);
    this.#gather = database.prepare(gathered.fill);
    this.#rest = [...steps.map((step) => gathered.sumUp(step)), gathered.empty].map((sql) =>
      database.prepare(sql),
    );
  }

  run(rows: readonly unknown[]): void {
    if (rows.length === 0) return;
    // It went with the commit that made it, where that one was undone.
    this.#database.run(this.#create);
    this.#gather.run(rows.length);
    for (const statement of this.#rest) statement.run();
  }
}

/** The groups of the new rows: by every key of every step, with every value that is summed. */
class Gathered {
  readonly #name: string;
  readonly #of: string;
  readonly #keys: readonly Fragment[];
  readonly #summed: readonly Fragment[];

  constructor(of: string, steps: readonly SumStep[]) {
    this.#name = `gathered_${of}`;
    this.#of = of;
    this.#keys = [...new Set(steps.flatMap((step) => step.action.key.map(valueIn(step))))];
    this.#summed = [...new Set(steps.flatMap((step) => summedBy(step).map(valueIn(step))))];
  }

  get create(): string {
    const columns = [
      ...this.#keys.map((value) => this.#key(value)),
      ...this.#summed.map((value) => this.#sum(value)),
    ];
    return `create temp table if not exists ${this.#name} (${columns.join(", ")})`;
  }

  /** The newest rows of a table have its highest numbers, because only one connection writes it. */
  get fill(): string {
    const sums = this.#summed.map((value) => `total(${value})`);
    return `insert into temp.${this.#name}
            select ${[...this.#keys, ...sums].join(", ")} from ${this.#of}
            where rowid > (select max(rowid) from ${this.#of}) - ?1
            group by ${this.#keys.map((_, at) => at + 1).join(", ")}`;
  }

  get empty(): string {
    return `delete from temp.${this.#name}`;
  }

  sumUp(step: SumStep): string {
    const { key, max, names } = step.action;
    const rest = summedBy(step);
    const value = valueIn(step);
    const cells = [
      ...key.map((name) => `${this.#key(value(name))} as ${name}`),
      ...rest.map((name) => `${this.#sum(value(name))} as ${name}`),
    ];
    const all = `select ${cells.join(", ")} from temp.${this.#name}`;
    const source = names ? boundNames(step, names, all) : all;
    // In floating point, so that it never overflows; up to the maximum it is exact.
    const sums = rest.map((name) => `cast(min(total(${name}), ${max}) as integer)`);
    const sets = rest.map((name) => `${name} = min(${name} + excluded.${name}, ${max})`);
    return `insert into ${step.table} (${[...key, ...rest].join(", ")})
            select ${[...key, ...sums].join(", ")} from (${source}) as gathered
            group by ${key.map((_, at) => at + 1).join(", ")}
            on conflict (${key.join(", ")}) do update set ${sets.join(", ")}`;
  }

  #key(value: Fragment): string {
    return `key_${this.#keys.indexOf(value)}`;
  }

  #sum(value: Fragment): string {
    return `sum_${this.#summed.indexOf(value)}`;
  }
}

/** Summed columns, beside those they are summed by. */
function summedBy({ columns, action }: SumStep): string[] {
  return columns.filter((column) => !action.key.includes(column));
}

function valueIn({ action }: SumStep): (column: string) => Fragment {
  return (column) => action.values[column] ?? "0";
}

export function isSum(step: Step): step is SumStep {
  return step.action.kind === "sum";
}
