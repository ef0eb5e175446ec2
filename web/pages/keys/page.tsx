// Keys: what programs call the gateway with. Admins see everyone's, others their own.
import type { KeyView, Listed } from "../../../src/admin/contract.ts";
import { useState } from "preact/hooks";
import { useGet, withQuery } from "../../core/api.ts";
import { moment } from "../../core/format.ts";
import { isMaking, openId, pageId, query, setMaking, setQuery } from "../../core/place.ts";
import { isAdmin } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { ClearFilters, Empty } from "../../kit/empty.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { SearchBox } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { Menu } from "../../kit/menu.tsx";
import { List, type Column } from "../../kit/table.tsx";
import { titleOf } from "../titles.ts";
import { Screen } from "../../shell/screen.tsx";
import { RevokeKey, setEnabled } from "./actions.tsx";
import { KeyDetail } from "./detail.tsx";
import { MakeKey } from "./edit.tsx";
import { KeyState, UsedOf } from "./parts.tsx";
import { t } from "./words.ts";

const pageSize = 50;

export function Page() {
  const [revoked, setRevoked] = useState<KeyView | null>(null);
  const [q, status, sort, p] = ["q", "status", "sort", "p"].map((name) => query.value.get(name));
  const path = withQuery("/api/token", { q, status, sort, p, page_size: pageSize });
  const loaded = useGet<Listed<KeyView>>(path);
  const items = loaded.data?.items ?? [];
  const at = items.findIndex(({ id }) => id === pageId.value);
  const step = (by: number) => {
    const to = at === -1 ? undefined : items[at + by];
    return to && (() => openId(to.id));
  };
  const make = (
    <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
      {t().make}
    </Button>
  );
  return (
    <Screen title={titleOf("keys")} tools={make}>
      <Filters path={path} />
      <Card isFlush>
        <List
          label={titleOf("keys")}
          loaded={loaded}
          columns={columnsOf(setRevoked)}
          idOf={({ id }) => id}
          openId={pageId.value}
          onOpen={({ id }) => openId(id)}
          empty={<NoKeys isFiltered={Boolean(q ?? status)} onMake={() => setMaking(true)} />}
        />
      </Card>
      {pageId.value !== null && (
        <KeyDetail key={pageId.value} id={pageId.value} onPrevious={step(-1)} onNext={step(1)} />
      )}
      {isMaking() && <MakeKey onClose={() => setMaking(false)} />}
      {revoked && <RevokeKey view={revoked} onClose={() => setRevoked(null)} onDone={() => {}} />}
    </Screen>
  );
}

function columnsOf(onRevoke: (view: KeyView) => void): (Column<KeyView> | false)[] {
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
      head: words.expires,
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

function Filters({ path }: { path: string }) {
  const words = t();
  const status = query.value.get("status") ?? "";
  const options = [
    ["", words.any],
    ["enabled", words.enabled],
    ["disabled", words.disabled],
  ] as const;
  const value = options.find(([one]) => one === status)?.[0] ?? "";
  return (
    <div class="bar">
      <SearchBox label={words.search} />
      <FilterSelect
        label={words.status}
        value={value}
        options={options}
        onChange={(next) => setQuery({ status: next, p: null })}
      />
      <span class="push">
        <CurlButton path={path} />
      </span>
    </div>
  );
}

function NoKeys({ isFiltered, onMake }: { isFiltered: boolean; onMake(): void }) {
  if (isFiltered) {
    const clear = () => setQuery({ q: null, status: null, p: null });
    return (
      <Empty title={t().noMatch} text={t().noMatchText}>
        <ClearFilters onClick={clear} />
      </Empty>
    );
  }
  return (
    <Empty title={t().empty} text={t().emptyText}>
      <Button kind="main" icon="plus" onClick={onMake}>
        {t().make}
      </Button>
    </Empty>
  );
}
