// Bounds of accounts and keys of LiteLLM: columns of their own, a row of the table of budgets, the
// membership of a team, an organization. The least of them comes; where one has no equal here,
// what it bounds comes disabled, and that is told.
import { cellText, numberIn } from "../cells.ts";
import type { SnapshotAccount } from "../snapshot.ts";
import { toFraction } from "../money.ts";
import type { SourceRow, SourceTables } from "../queries.ts";

/** The columns that bound a row, wherever it stands. */
export const boundColumns = [
  "max_budget spend budget_duration tpm_limit rpm_limit max_parallel_requests",
  "budget_id budget_limits model_max_budget organization_id",
].flatMap((line) => line.split(" "));
const budgetColumns = boundColumns.filter((name) => name !== "spend");

type Rates = SnapshotAccount["rates"];

export interface Bound {
  /** Budget left, in micros; null: no bound. */
  left: bigint | null;
  /** The whole of it. */
  limit: bigint | null;
  rates: Rates;
  /** Reasons why it is off. */
  faults: string[];
  /** Period of its budget; empty where that does not start anew. */
  duration: string;
}

const rateColumns = {
  requestsPerMinute: "rpm_limit",
  tokensPerMinute: "tpm_limit",
  concurrency: "max_parallel_requests",
} as const;

export class Budgets {
  readonly #rows: ReadonlyMap<string, SourceRow>;
  readonly #members: ReadonlyMap<string, SourceRow>;
  readonly #organizations: ReadonlyMap<string, SourceRow>;

  constructor(
    rows: readonly SourceRow[],
    members: readonly SourceRow[],
    organizations: readonly SourceRow[],
  ) {
    this.#rows = new Map(rows.map((row) => [cellText(row, "budget_id"), row]));
    const pair = (row: SourceRow) => pairOf(cellText(row, "team_id"), cellText(row, "user_id"));
    this.#members = new Map(members.map((row) => [pair(row), row]));
    this.#organizations = new Map(
      organizations.map((row) => [cellText(row, "organization_id"), row]),
    );
  }

  static async read(tables: SourceTables): Promise<Budgets> {
    const spending = ["spend", "budget_id"];
    return new Budgets(
      await tables.rows("LiteLLM_BudgetTable", budgetColumns),
      await tables.rows("LiteLLM_TeamMembership", ["team_id", "user_id", ...spending]),
      await tables.rows("LiteLLM_OrganizationTable", ["organization_id", ...spending]),
    );
  }

  /** Bound of a row by its own columns and by the budget that it may name. */
  boundOf(row: SourceRow): Bound {
    const named = this.#named(row);
    const faults = [row, ...(named ? [named] : [])].flatMap(faultsOf);
    const id = cellText(row, "budget_id");
    if (id !== "" && !named) faults.push(`is bound by the budget ${id}, which is not there`);
    const own = ratesOf(row);
    const shared = ratesOf(named ?? {});
    return {
      left: least(leftOf(row, row), named ? leftOf(named, row) : null),
      limit: least(leftOf(row, {}), named ? leftOf(named, {}) : null),
      rates: {
        requestsPerMinute: own.requestsPerMinute ?? shared.requestsPerMinute,
        tokensPerMinute: own.tokensPerMinute ?? shared.tokensPerMinute,
        concurrency: own.concurrency ?? shared.concurrency,
      },
      faults: [...new Set(faults)],
      duration: cellText(row, "budget_duration") || cellText(named ?? {}, "budget_duration"),
    };
  }

  /** Budget left to a member of a team, which bounds the keys that belong to both. */
  ofMember(teamId: string, userId: string): bigint | null {
    const member = this.#members.get(pairOf(teamId, userId));
    const named = member && this.#named(member);
    return member && named ? leftOf(named, member) : null;
  }

  /** The same where it starts anew: the whole of it, and how often; null where it does not. */
  renewedOf(teamId: string, userId: string): { limit: bigint; duration: string } | null {
    const member = this.#members.get(pairOf(teamId, userId));
    const named = member && this.#named(member);
    const limit = named ? leftOf(named, {}) : null;
    const duration = cellText(named ?? {}, "budget_duration");
    return limit === null || duration === "" ? null : { limit, duration };
  }

  /** True where an organization has a budget, which all of its own share. */
  isShared(row: SourceRow): boolean {
    const organization = this.#organizations.get(cellText(row, "organization_id"));
    const named = organization && this.#named(organization);
    return organization !== undefined && named !== undefined && leftOf(named, {}) !== null;
  }

  #named(row: SourceRow): SourceRow | undefined {
    return this.#rows.get(cellText(row, "budget_id"));
  }
}

function pairOf(teamId: string, userId: string): string {
  return JSON.stringify([teamId, userId]);
}

export function least(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function leftOf(budget: SourceRow, spender: SourceRow): bigint | null {
  if (budget["max_budget"] === null || budget["max_budget"] === undefined) return null;
  const left = microsIn(budget, "max_budget") - microsIn(spender, "spend");
  return left > 0n ? left : 0n;
}

/** Dollars as LiteLLM has them, which are no whole numbers: to the nearest micro. */
function microsIn(row: SourceRow, column: string): bigint {
  const { top, bottom } = toFraction(Math.max(0, numberIn(row, column)));
  return (2n * top * 1_000_000n + bottom) / (2n * bottom);
}

function ratesOf(row: SourceRow): Rates {
  const orNull = (column: string) => {
    const value = Math.floor(numberIn(row, column));
    return value > 0 ? value : null;
  };
  return {
    requestsPerMinute: orNull(rateColumns.requestsPerMinute),
    tokensPerMinute: orNull(rateColumns.tokensPerMinute),
    concurrency: orNull(rateColumns.concurrency),
  };
}

function faultsOf(row: SourceRow): string[] {
  const nothing = Object.values(rateColumns).filter(
    (column) => cellText(row, column) !== "" && numberIn(row, column) === 0,
  );
  return [
    ...nothing.map((column) => `allows nothing at all by its ${column} of 0`),
    ...(hasAny(row, "budget_limits") ? ["has several budgets at once, which have no equal"] : []),
    ...(hasAny(row, "model_max_budget") ? ["has budgets by model, which have no equal"] : []),
  ];
}

/** Whether a column of JSON has anything in it, be it a list, an object or a text of either. */
export function hasAny(row: SourceRow, column: string): boolean {
  const value = row[column];
  if (typeof value === "string") return !/^\s*(?:|null|\[\s*\]|\{\s*\})\s*$/.test(value);
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
