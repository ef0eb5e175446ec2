// The audit trail: who did what to which thing, when, and from where. Entries never change.
import type { AuditView, Listed } from "../../../src/admin/contract.ts";
import { useGet, withQuery } from "../../core/api.ts";
import { moment } from "../../core/format.ts";
import { openId, pageId, query, setQuery } from "../../core/place.ts";
import { Badge } from "../../kit/badge.tsx";
import { LinkButton } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { ClearFilters, Empty } from "../../kit/empty.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { FilterChips, SearchBox } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { List, type Column } from "../../kit/table.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { AuditDetail } from "./detail.tsx";
import { t } from "./words.ts";

const pageSize = 50;
const filters = ["actor", "action", "carrier", "target_kind", "target_id"] as const;

export function Page() {
  const set = Object.fromEntries(filters.map((name) => [name, query.value.get(name)]));
  const path = withQuery("/api/audit", { ...set, p: query.value.get("p"), page_size: pageSize });
  const loaded = useGet<Listed<AuditView>>(path);
  const items = loaded.data?.items ?? [];
  const at = items.findIndex(({ id }) => id === pageId.value);
  const step = (by: number) => {
    const to = at === -1 ? undefined : items[at + by];
    return to && (() => openId(to.id));
  };
  const isFiltered = filters.some((name) => query.value.has(name));
  const entry = items[at];
  return (
    <Screen title={titleOf("audit")}>
      <Filters path={path} />
      <Card isFlush>
        <List
          label={titleOf("audit")}
          loaded={loaded}
          columns={columns()}
          idOf={({ id }) => id}
          openId={pageId.value}
          onOpen={({ id }) => openId(id)}
          empty={<Nothing isFiltered={isFiltered} />}
        />
      </Card>
      {entry && <AuditDetail {...{ entry }} onPrevious={step(-1)} onNext={step(1)} />}
    </Screen>
  );
}

function columns(): Column<AuditView>[] {
  const words = t();
  return [
    {
      name: "at",
      head: words.at,
      cell: ({ at }) => (
        <span class="number" title={moment(at, "full")}>
          {`${moment(at, "day")} ${moment(at, "second")}`}
        </span>
      ),
      card: "aside",
    },
    {
      name: "action",
      head: words.action,
      cell: ({ action }) => <span class="mono">{action}</span>,
      card: "title",
    },
    {
      name: "actor",
      head: words.actor,
      cell: ({ actor }) => actor ?? <span class="faint">{words.nobody}</span>,
    },
    {
      name: "carrier",
      head: words.carrier,
      cell: ({ carrier }) => <Badge>{words.carriers[carrier]}</Badge>,
      card: "hidden",
    },
    {
      name: "target",
      head: words.target,
      cell: ({ target_kind: kind, target_id: id }) => (
        <span class="wrap">
          {kind} <span class="mono faint">{id}</span>
        </span>
      ),
    },
    {
      name: "ip",
      head: words.ip,
      cell: ({ ip }) => <span class="mono faint">{ip ?? "–"}</span>,
      card: "hidden",
    },
  ];
}

function Filters({ path }: { path: string }) {
  const words = t();
  const { carriers } = words;
  const carrier = query.value.get("carrier") ?? "";
  const options = [
    ["", words.anyCarrier],
    ["session", carriers.session],
    ["token", carriers.token],
    ["visitor", carriers.visitor],
    ["cli", carriers.cli],
    ["config", carriers.config],
  ] as const;
  const chip = (name: "target_kind" | "target_id" | "action", label: string) => {
    const value = query.value.get(name);
    return value !== null && { name, text: `${label}: ${value}` };
  };
  return (
    <div class="bar">
      <SearchBox name="actor" label={words.searchActor} />
      <FilterSelect
        label={words.carrier}
        value={options.find(([one]) => one === carrier)?.[0] ?? ""}
        options={options}
        onChange={(next) => setQuery({ carrier: next, p: null })}
      />
      <FilterChips
        chips={[
          chip("action", words.action),
          chip("target_kind", words.target),
          chip("target_id", words.target),
        ]}
      />
      <span class="push row">
        <LinkButton kind="plain" isSmall icon="download" href={csvOf(path)} download="audit.csv">
          {words.csv}
        </LinkButton>
        <CurlButton path={path} />
      </span>
    </div>
  );
}

/** The same entries without pages. */
function csvOf(path: string): string {
  const search = new URLSearchParams(path.split("?")[1]);
  search.delete("p");
  search.delete("page_size");
  return withQuery("/api/audit.csv", Object.fromEntries(search));
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) return <Empty title={t().empty} text={t().emptyText} />;
  const none = Object.fromEntries([...filters, "p"].map((name) => [name, null]));
  return (
    <Empty title={t().noMatch} text={t().noMatchText}>
      <ClearFilters onClick={() => setQuery(none)} />
    </Empty>
  );
}
