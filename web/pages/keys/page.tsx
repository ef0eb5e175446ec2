// Keys: what programs call the gateway with. Admins see everyone's, others their own.
import { useState } from "preact/hooks";
import type { KeyView } from "../../../src/admin/contract.ts";
import { moment } from "../../core/format.ts";
import { isAdmin } from "../../core/session.ts";
import { Menu } from "../../kit/menu.tsx";
import { ListPage, type ColumnOf } from "../../shell/list-page.tsx";
import { RevokeKey, setEnabled } from "./actions.tsx";
import { KeyDetail } from "./detail.tsx";
import { MakeKey } from "./edit.tsx";
import { KeyState, UsedOf } from "./parts.tsx";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  const [revoked, setRevoked] = useState<KeyView | null>(null);
  const { enabled, disabled } = words;
  return (
    <ListPage
      name="keys"
      at="GET /api/token"
      words={words}
      filters={[
        { name: "q", label: words.search },
        {
          name: "status",
          label: words.status,
          all: words.anyStatus,
          choices: { enabled, disabled },
        },
      ]}
      columns={columnsOf(setRevoked)}
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

function columnsOf(onRevoke: (view: KeyView) => void): (ColumnOf<"GET /api/token"> | false)[] {
  const words = t();
  return [
    { name: "name", head: words.name, cell: ({ name }) => name, card: "title", sort: "name" },
    {
      name: "key",
      head: words.key,
      cell: ({ shown }) => <span class="mono faint">{shown}</span>,
      card: "hidden",
    },
    isAdmin() && { name: "account", head: words.account, cell: ({ account }) => account },
    { name: "group", head: words.group, cell: ({ group }) => group },
    {
      name: "used",
      head: words.used,
      cell: (view) => <UsedOf view={view} />,
      card: "line",
      sort: "used_micros",
    },
    {
      name: "expires",
      head: words.expires_at,
      cell: ({ expires_at }) =>
        expires_at === null ? <span class="faint">{words.never}</span> : moment(expires_at, "date"),
      card: "hidden",
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

function RowMenu({ view, onRevoke }: { view: KeyView; onRevoke(view: KeyView): void }) {
  const isOn = view.status === "enabled";
  if (view.declared) return null;
  return (
    <Menu
      label={t().actions(view.name)}
      items={[
        {
          label: isOn ? t().disable : t().enable,
          icon: isOn ? "stop" : "play",
          run: () => void setEnabled(view, !isOn),
        },
        { label: t().revoke, icon: "trash", isDanger: true, run: () => onRevoke(view) },
      ]}
    />
  );
}
