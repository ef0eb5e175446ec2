// Budgets: what accounts and their parts may spend in a time. Admins see everyone's.
import type { BudgetView } from "../../../src/admin/contract.ts";
import { isLeading, may } from "../../core/session.ts";
import { Dot } from "../../kit/badge.tsx";
import { Icon } from "../../kit/icon.tsx";
import { ListPage, type ColumnOf } from "../../shell/list-page.tsx";
import { BudgetDetail } from "./detail.tsx";
import { MakeBudget } from "./edit.tsx";
import { Anew, everyOf, forWhom, SpentOf } from "../../kit/budget/bars.tsx";
import { isExhausted } from "../../kit/budget/share.ts";
import { t as barWords } from "../../kit/budget/words.ts";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  return (
    <ListPage
      name="budgets"
      at="GET /api/budget"
      words={words}
      filters={[
        { name: "q", label: words.search },
        { name: "scope", label: words.scope, all: words.anyScope, choices: barWords().scopes },
      ]}
      columns={columnsOf()}
      open={(opened) => <BudgetDetail key={opened.id} {...opened} />}
      {...(isLeading() && {
        make: {
          label: words.make,
          form: (onClose: () => void) => <MakeBudget onClose={onClose} />,
          isOffered: true as const,
        },
      })}
    />
  );
}

function columnsOf(): (ColumnOf<"GET /api/budget"> | false)[] {
  const words = t();
  return [
    { name: "name", head: words.name, cell: (view) => <Name view={view} />, card: "title" },
    may("budgets.read") && { name: "account", head: words.account, cell: ({ account }) => account },
    { name: "scope", head: words.scope, cell: forWhom },
    { name: "period", head: words.period, cell: everyOf, hasHead: true },
    { name: "mode", head: words.mode, cell: ({ mode }) => words.modes[mode], yields: "soon" },
    {
      name: "now",
      head: words.now,
      cell: (view) => <Now view={view} />,
      card: "line",
    },
    {
      name: "anew",
      head: words.resets,
      cell: ({ now }) => now && <Anew window={now} isShort />,
      yields: "late",
      card: "hidden",
    },
    { name: "status", head: words.status, cell: (view) => <State view={view} />, card: "aside" },
  ];
}

function Name({ view: { name, declared } }: { view: BudgetView }) {
  return (
    <span class="row">
      {declared && <Icon name="lock" />}
      <span class="cut">{name}</span>
    </span>
  );
}

/** Budgets of each have many windows, which the drawer lists. */
function Now({ view }: { view: BudgetView }) {
  if (view.now) return <SpentOf window={view.now} />;
  const none = { spent_micros: 0, held_micros: 0, opened_at: null, resets_at: null };
  return view.status === "enabled" ? (
    <span class="faint">{t().ofEach}</span>
  ) : (
    <SpentOf window={{ ...none, limit_micros: view.limit_micros }} />
  );
}

function State({ view }: { view: BudgetView }) {
  if (isExhausted(view)) {
    return <Dot tone={view.mode === "watch" ? "warn" : "bad"}>{t().exhausted}</Dot>;
  }
  return view.status === "enabled" ? (
    <Dot tone="good">{t().enabled}</Dot>
  ) : (
    <Dot tone="none">{t().disabled}</Dot>
  );
}
