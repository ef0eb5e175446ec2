// People: every account, who it is, what it may do, and what it has left.
import type { Listed, UserView } from "../../../src/admin/contract.ts";
import { useGet, withQuery } from "../../core/api.ts";
import { exactMoney, moment } from "../../core/format.ts";
import { isMaking, openId, pageId, query, setMaking, setQuery } from "../../core/place.ts";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { ClearFilters, Empty } from "../../kit/empty.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { SearchBox } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { List, type Column } from "../../kit/table.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { PersonDetail } from "./detail.tsx";
import { MakePerson } from "./edit.tsx";
import { PersonState, RoleBadge } from "./parts.tsx";
import { t } from "./words.ts";

const filters = ["q", "role", "status", "group", "sort"] as const;

export function Page() {
  const set = Object.fromEntries(filters.map((name) => [name, query.value.get(name)]));
  const path = withQuery("/api/user", { ...set, p: query.value.get("p"), page_size: 50 });
  const loaded = useGet<Listed<UserView>>(path);
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
    <Screen title={titleOf("people")} tools={make}>
      <Filters path={path} />
      <Card isFlush>
        <List
          label={titleOf("people")}
          loaded={loaded}
          columns={columns()}
          idOf={({ id }) => id}
          openId={pageId.value}
          onOpen={({ id }) => openId(id)}
          empty={<NoMatch />}
        />
      </Card>
      {pageId.value !== null && (
        <PersonDetail key={pageId.value} id={pageId.value} onPrevious={step(-1)} onNext={step(1)} />
      )}
      {isMaking() && <MakePerson onClose={() => setMaking(false)} />}
    </Screen>
  );
}

function columns(): Column<UserView>[] {
  const words = t();
  return [
    {
      name: "name",
      head: words.name,
      cell: ({ username }) => username,
      card: "title",
      sort: "username",
    },
    { name: "role", head: words.role, cell: ({ role }) => <RoleBadge role={role} /> },
    { name: "group", head: words.group, cell: ({ group }) => group, card: "hidden" },
    {
      name: "available",
      head: words.available,
      cell: ({ quota_micros: left }) =>
        left === null ? <span class="faint">{words.unlimited}</span> : exactMoney(left),
      isRight: true,
      sort: "quota_micros",
    },
    {
      name: "spent",
      head: words.spent,
      cell: ({ used_micros: used }) => exactMoney(used),
      isRight: true,
      sort: "used_micros",
      card: "hidden",
    },
    {
      name: "status",
      head: words.status,
      cell: ({ status }) => <PersonState status={status} />,
      card: "aside",
    },
    {
      name: "created",
      head: words.created,
      cell: ({ created_at: at }) => <span title={moment(at, "full")}>{moment(at, "date")}</span>,
      sort: "created_at",
      card: "hidden",
    },
  ];
}

function Filters({ path }: { path: string }) {
  const words = t();
  const [role, status] = ["role", "status"].map((name) => query.value.get(name));
  const roles = [
    ["", words.anyRole],
    ["user", words.roles.user],
    ["admin", words.roles.admin],
    ["root", words.roles.root],
  ] as const;
  const statuses = [
    ["", words.anyStatus],
    ["enabled", words.enabled],
    ["disabled", words.disabled],
  ] as const;
  return (
    <div class="bar">
      <SearchBox label={words.search} />
      <FilterSelect
        label={words.role}
        value={roles.find(([one]) => one === role)?.[0] ?? ""}
        options={roles}
        onChange={(next) => setQuery({ role: next, p: null })}
      />
      <FilterSelect
        label={words.status}
        value={statuses.find(([one]) => one === status)?.[0] ?? ""}
        options={statuses}
        onChange={(next) => setQuery({ status: next, p: null })}
      />
      <span class="push">
        <CurlButton path={path} />
      </span>
    </div>
  );
}

/** There is always somebody, so an empty list is one of no match. */
function NoMatch() {
  const none = Object.fromEntries([...filters, "p"].map((name) => [name, null]));
  return (
    <Empty title={t().noMatch} text={t().noMatchText}>
      <ClearFilters onClick={() => setQuery(none)} />
    </Empty>
  );
}
