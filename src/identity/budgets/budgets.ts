// The budgets in memory, and those that a caller falls under. Rebuilt as a whole when one changes;
// callers are read anew then, so none of them keeps a line of before.
import { Lru } from "../../core/lru.ts";
import type { CapTerms, ShortageWords } from "../../quota/cap.ts";
import type { AccountId, BudgetId, ChannelId, KeyId } from "../../core/ids.ts";
import type { ApiKeyTable } from "../../store/api-key-table.ts";
import type { Database } from "../../store/database.ts";
import { isOfEach, toBudget, type Budget } from "./budget.ts";
import { DayLabels } from "./day-labels.ts";
import { BudgetLine, type LineNeeds } from "./line.ts";
import { readBudgets } from "./queries.ts";

/** Facts of a key that budgets are matched with. */
type BudgetSubject = Pick<ApiKeyTable, "account_id" | "maker_id" | "project_id"> & {
  /** Null: of what is not a key's alone. */
  id: KeyId | null;
};

/** Facts of a request that they are matched with besides. */
export interface BudgetAsk {
  model: string;
  label?: string | null;
}

const linesMax = 100_000;

interface KnownNeeds extends LineNeeds {
  /** Answers tell what is left. */
  tellsRest: boolean;
}

export class KnownBudgets {
  readonly #needs: KnownNeeds;
  #byAccount: ReadonlyMap<AccountId, readonly Budget[]> = new Map();
  #ofChannels: readonly Budget[] = [];
  #lines = new Lru<string, BudgetLine>(linesMax);
  readonly #labels = new Map<BudgetId, DayLabels>();

  constructor(needs: KnownNeeds) {
    this.#needs = needs;
  }

  async reload(database: Database): Promise<void> {
    const rows = await readBudgets(database);
    const all = rows.filter(({ status }) => status === "enabled").map(toBudget);
    this.#lines = new Lru<string, BudgetLine>(linesMax);
    this.#ofChannels = all.filter(({ scope }) => scope === "channel");
    const ofPayers = all.filter(({ scope }) => scope !== "channel");
    this.#byAccount = Map.groupBy(ofPayers, ({ accountId }) => accountId);
  }

  get tellsRest(): boolean {
    return this.#needs.tellsRest;
  }

  get nowMs(): number {
    return this.#needs.clock.nowMs();
  }

  /** Undefined for those who have none, so that their requests do nothing about it. */
  of(subject: BudgetSubject): CallerBudgets | undefined {
    const matching = (this.#byAccount.get(subject.account_id) ?? []).flatMap(
      (budget): Matching[] => {
        if (budget.scope === "label") return [{ budget, line: null }];
        const id = subjectOf(budget, subject);
        return id === undefined ? [] : [{ budget, line: this.line(budget, id) }];
      },
    );
    return matching.length === 0
      ? undefined
      : new CallerBudgets(this, matching, subject.maker_id !== null);
  }

  /** Lines of a channel, whoever pays for what goes through it. */
  ofChannel(id: ChannelId): BudgetLine[] {
    return this.#ofChannels
      .filter(({ subjectId }) => (subjectId ?? id) === id)
      .map((budget) => this.line(budget, id));
  }

  /** Line of a label, where the budget is for each or for this one. */
  labelLine(budget: Budget, label: string): BudgetLine {
    if (budget.subjectId !== null) return this.line(budget, label);
    let labels = this.#labels.get(budget.id);
    if (!labels) this.#labels.set(budget.id, (labels = new DayLabels()));
    return this.line(budget, labels.admit(label, this.nowMs));
  }

  /** Shared by all callers, so that all are in the same window. */
  line(budget: Budget, subjectId: string | null): BudgetLine {
    const key = subjectId === null ? budget.id : `${budget.id}/${subjectId}`;
    const known = this.#lines.get(key);
    if (known) return known;
    const line = new BudgetLine(this.#needs, budget, subjectId);
    this.#lines.set(key, line);
    return line;
  }
}

/** The id that its windows are under; undefined where the caller is not its concern. */
function subjectOf(budget: Budget, subject: BudgetSubject): string | null | undefined {
  if (budget.scope === "account") return null;
  const { maker_id: member, project_id: project, id: key } = subject;
  const own = { member, project, key, label: null, channel: null }[budget.scope];
  return own !== null && (isOfEach(budget) || budget.subjectId === own) ? own : undefined;
}

interface Matching {
  budget: Budget;
  /** Null where the request's label says which. */
  line: BudgetLine | null;
}

/** Budgets of one caller; which of them a request falls under is up to its model and label. */
export class CallerBudgets {
  readonly #budgets: KnownBudgets;
  readonly #matching: readonly Matching[];
  /** Ids of budgets whose names a member is not to know; undefined where it may know all. */
  readonly unnamed: ReadonlySet<string> | undefined;
  /** Undefined where a refusal may name all, and all go by UTC. */
  readonly words: ShortageWords | undefined;

  constructor(budgets: KnownBudgets, matching: readonly Matching[], isMembers: boolean) {
    this.#budgets = budgets;
    this.#matching = matching;
    const all = matching.map(({ budget }) => budget);
    const others = all.filter(({ scope }) => scope !== "member" && scope !== "key");
    this.unnamed = isMembers ? new Set(others.map(({ id }) => id)) : undefined;
    const zones = new Map(all.map(({ id, rhythm }) => [id, rhythm.zone]));
    const isPlain = !this.unnamed && all.every(({ rhythm }) => rhythm.zone === "UTC");
    this.words = isPlain ? undefined : { unnamed: this.unnamed, zones };
  }

  /** Answers tell what is left of them. */
  get tellsRest(): boolean {
    return this.#budgets.tellsRest;
  }

  /** Null where a window has to be opened first. */
  peek(ask: BudgetAsk): readonly CapTerms[] | null {
    const { nowMs } = this.#budgets;
    const all: CapTerms[] = [];
    for (const line of this.lines(ask)) {
      const terms = line.peek(nowMs);
      if (!terms) return null;
      all.push(terms);
    }
    return all;
  }

  async open(ask: BudgetAsk): Promise<readonly CapTerms[]> {
    const { nowMs } = this.#budgets;
    return await Promise.all(this.lines(ask).map((line) => line.peek(nowMs) ?? line.open()));
  }

  /** Those of a request; of every model where none is named. */
  lines({ model, label = null }: Partial<BudgetAsk>): BudgetLine[] {
    return this.#matching.flatMap(({ budget, line }) => {
      if (model !== undefined && budget.models && !budget.models.patterns.find(model)) return [];
      if (line) return [line];
      const isMatch = label !== null && (budget.subjectId ?? label) === label;
      return isMatch ? [this.#budgets.labelLine(budget, label)] : [];
    });
  }
}
