// The lines of the ledger, under the equation of the account that they are of.
import { useGet, withQuery } from "../../core/api.ts";
import { exactMoney } from "../../core/format.ts";
import { openId, pageId, query, setQuery } from "../../core/place.ts";
import { isAdmin, scoped } from "../../core/session.ts";
import { Badge } from "../../kit/badge.tsx";
import { LinkButton } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { ClearFilters, Empty } from "../../kit/empty.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { FilterChips, SearchBox } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { List, type Column, type ListAnswer } from "../../kit/table.tsx";
import { titleOf } from "../titles.ts";
import { EntryDetail } from "./detail.tsx";
import { Equation } from "./equation.tsx";
import { kindTones, Moment, signedMoney, type Entry } from "./parts.tsx";
import { t } from "./words.ts";

const ownFilters = ["kind", "key", "id"] as const;
const allFilters = [...ownFilters, "account", "loss"] as const;

export function Entries() {
  const filters = isAdmin() ? allFilters : ownFilters;
  const set = Object.fromEntries(filters.map((name) => [name, query.value.get(name)]));
  const path = withQuery(scoped("/api/ledger"), {
    ...set,
    cursor: query.value.get("cursor"),
    page_size: 50,
  });
  const loaded = useGet<ListAnswer<Entry>>(path);
  const items = loaded.data?.items ?? [];
  const at = items.findIndex(({ id }) => id === pageId.value);
  const step = (by: number) => {
    const to = at === -1 ? undefined : items[at + by];
    return to && (() => openId(to.id));
  };
  const isFiltered = filters.some((name) => query.value.has(name));
  return (
    <>
      <Filters {...{ path }} />
      <Equation account={isAdmin() ? query.value.get("account") : null} />
      <Card isFlush>
        <List
          label={titleOf("ledger")}
          loaded={loaded}
          columns={columns()}
          idOf={({ id, kind }) => `${kind} ${id}`}
          openId={at === -1 ? null : `${items[at]?.kind} ${pageId.value}`}
          onOpen={({ id }) => openId(id)}
          empty={<Nothing isFiltered={isFiltered} />}
        />
      </Card>
      {pageId.value !== null && (
        <EntryDetail
          key={pageId.value}
          id={pageId.value}
          entry={items[at]}
          onPrevious={step(-1)}
          onNext={step(1)}
        />
      )}
    </>
  );
}

function columns(): (Column<Entry> | false)[] {
  const words = t();
  return [
    { name: "at", head: words.at, cell: ({ at }) => <Moment at={at} />, card: "line" },
    {
      name: "kind",
      head: words.kind,
      cell: ({ kind }) => <Badge tone={kindTones[kind]}>{words.entryKinds[kind]}</Badge>,
    },
    isAdmin() && { name: "account", head: words.account, cell: ({ account }) => account },
    {
      name: "what",
      head: words.modelOrReason,
      cell: ({ model, reason }) => model ?? reason ?? <span class="faint">–</span>,
      card: "title",
    },
    {
      name: "held",
      head: words.held,
      cell: ({ held_micros: held, kind }) =>
        kind === "grant" ? <span class="faint">–</span> : exactMoney(held),
      isRight: true,
      card: "hidden",
    },
    {
      name: "back",
      head: words.givenBack,
      cell: ({ given_back_micros: back, kind }) =>
        kind === "grant" ? <span class="faint">–</span> : exactMoney(back),
      isRight: true,
      card: "hidden",
    },
    isAdmin() && {
      name: "loss",
      head: words.loss,
      cell: ({ loss_micros: loss = 0 }) =>
        loss === 0 ? <span class="faint">–</span> : <span class="bad">{exactMoney(loss)}</span>,
      isRight: true,
      card: "hidden",
    },
    { name: "micros", head: words.amount, cell: signedMoney, isRight: true, card: "aside" },
  ];
}

function Filters({ path }: { path: string }) {
  const words = t();
  const [key, id] = ["key", "id"].map((name) => query.value.get(name));
  const options = [
    ["", words.anyKind],
    ["grant", words.entryKinds.grant],
    ["post", words.entryKinds.post],
    ["void", words.entryKinds.void],
    ...(isAdmin() ? ([["loss", words.losses]] as const) : []),
  ] as const;
  const kind = query.value.has("loss") ? "loss" : (query.value.get("kind") ?? "");
  const choose = (next: string) =>
    setQuery({
      kind: next === "loss" ? null : next,
      loss: next === "loss" ? "true" : null,
      cursor: null,
    });
  return (
    <div class="bar">
      {isAdmin() && <SearchBox name="account" label={words.searchAccount} />}
      <FilterSelect<string> label={words.kind} value={kind} options={options} onChange={choose} />
      <FilterChips
        chips={[
          key !== null && key !== undefined && { name: "key", text: `${words.key}: ${key}` },
          id !== null && id !== undefined && { name: "id", text: `${words.id}: ${id}` },
        ]}
      />
      <span class="push row">
        {isAdmin() && (
          <LinkButton kind="plain" isSmall icon="download" href={csvOf(path)} download="ledger.csv">
            {words.csv}
          </LinkButton>
        )}
        <CurlButton path={path} />
      </span>
    </div>
  );
}

/** The same lines without pages. */
function csvOf(path: string): string {
  const search = new URLSearchParams(path.split("?")[1]);
  search.delete("cursor");
  search.delete("page_size");
  return withQuery("/api/ledger.csv", Object.fromEntries(search));
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) return <Empty title={t().empty} text={t().emptyText} />;
  const none = Object.fromEntries([...allFilters, "cursor"].map((name) => [name, null]));
  return (
    <Empty title={t().noMatch} text={t().noMatchText}>
      <ClearFilters onClick={() => setQuery(none)} />
    </Empty>
  );
}
