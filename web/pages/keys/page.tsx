// Keys: what programs call the gateway with. Admins see everyone's, others their own.
import { useState } from "preact/hooks";
import type { BudgetState, KeyView } from "../../../src/admin/contract.ts";
import { lately, moment } from "../../core/format.ts";
import { scope } from "../../core/scope.ts";
import { may, seesMoney, self } from "../../core/session.ts";
import { budgetColumn, useBudgets } from "../../kit/budget/tightest.tsx";
import { Menu } from "../../kit/menu.tsx";
import { ListPage, type ColumnOf } from "../../shell/list-page.tsx";
import { RevokeKey, setEnabled } from "./actions.tsx";
import { KeyDetail } from "./detail.tsx";
import { MakeKey } from "./edit.tsx";
import { KeyState, useKeyActs, UsedOf } from "./parts.tsx";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  const [revoked, setRevoked] = useState<KeyView | null>(null);
  const { enabled, disabled } = words;
  const budgets = useBudgets();
  return (
    <ListPage
      name="keys"
      at="GET /api/token"
      words={words}
      filters={[
        { name: "q", label: words.search },
        {
          name: "digest",
          label: words.byText,
          isLinked: "chip",
          shown: (digest) => `${digest.slice(0, 8)}…`,
        },
        {
          name: "status",
          label: words.status,
          all: words.anyStatus,
          choices: { enabled, disabled },
        },
      ]}
      columns={columnsOf({ budgets, onRevoke: setRevoked })}
      open={(opened) => <KeyDetail key={opened.id} {...opened} />}
      make={{
        label: words.make,
        form: (onClose) => <MakeKey onClose={onClose} />,
        isOffered: true,
      }}
    >
      {revoked && <RevokeKey view={revoked} onClose={() => setRevoked(null)} onDone={() => {}} />}
    </ListPage>
  );
}

interface ColumnOptions {
  budgets: readonly BudgetState[];
  onRevoke(view: KeyView): void;
}

function columnsOf({ budgets, onRevoke }: ColumnOptions): (ColumnOf<"GET /api/token"> | false)[] {
  const words = t();
  return [
    { name: "name", head: words.name, cell: ({ name }) => name, card: "title", sort: "name" },
    {
      name: "key",
      head: words.key,
      cell: ({ shown }) => <span class="mono faint">{shown}</span>,
      yields: "late",
      card: "hidden",
    },
    scope !== null && {
      name: "member",
      head: words.member,
      cell: ({ member }) => member ?? <span class="faint">{words.serviceKey}</span>,
    },
    scope !== null && { name: "project", head: words.project, cell: ({ project }) => project },
    may("keys.read") && { name: "account", head: words.account, cell: ({ account }) => account },
    { name: "group", head: words.group, cell: ({ group }) => group },
    seesMoney("keys.read") && {
      name: "used",
      head: words.used,
      cell: (view) => <UsedOf view={view} />,
      card: "line",
      sort: "used_micros",
    },
    budgetColumn<KeyView>(budgets, subjectsOf),
    {
      name: "last",
      head: words.lastUsed,
      cell: ({ last_used_at: at }) =>
        at === null ? (
          <span class="faint">–</span>
        ) : (
          <span title={moment(at, "full")}>{lately(at)}</span>
        ),
      card: "hidden",
      sort: "last_used_at",
    },
    {
      name: "expires",
      head: words.expires_at,
      cell: ({ expires_at }) =>
        expires_at === null ? <span class="faint">{words.never}</span> : moment(expires_at, "date"),
      card: "hidden",
      yields: "late",
    },
    { name: "status", head: words.status, cell: (view) => <KeyState view={view} />, card: "aside" },
    {
      name: "actions",
      head: "",
      cell: (view) => <RowMenu view={view} onRevoke={onRevoke} />,
      isRight: true,
      card: "hidden",
    },
  ];
}

/** Budgets of other accounts are not at hand. */
function subjectsOf({ id, account, member_id: member, project_id: project }: KeyView) {
  const isOwn = scope !== null || account === self.value?.username;
  return isOwn ? [id, member, project] : null;
}

function RowMenu({ view, onRevoke }: { view: KeyView; onRevoke(view: KeyView): void }) {
  const isOn = view.status === "enabled";
  const { mayChange, mayTurn } = useKeyActs(view);
  if (view.declared || !(mayTurn || mayChange)) return null;
  return (
    <Menu
      label={t().actions(view.name)}
      items={[
        mayTurn && {
          label: isOn ? t().disable : t().enable,
          icon: isOn ? "stop" : "play",
          run: () => void setEnabled(view, !isOn),
        },
        mayChange && {
          label: t().revoke,
          icon: "trash",
          isDanger: true,
          run: () => onRevoke(view),
        },
      ]}
    />
  );
}
