// Every price, with those first that are missing.
import { useState } from "preact/hooks";
import type { ChannelView, Listed, PriceView } from "../../../src/admin/contract.ts";
import { useGet, withQuery } from "../../core/api.ts";
import { openId, pageId, query, setQuery } from "../../core/place.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { ClearFilters, Empty } from "../../kit/empty.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { SearchBox } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { Icon } from "../../kit/icon.tsx";
import { List, type Column } from "../../kit/table.tsx";
import { titleOf } from "../titles.ts";
import { PriceDetail } from "./detail.tsx";
import { EditPrice } from "./edit.tsx";
import { Amount, pieceOf, rulesOf } from "./parts.tsx";
import { t } from "./words.ts";

const pageSize = 50;

export function PriceList() {
  const [q, source, sort, p] = ["q", "source", "sort", "p"].map((name) => query.value.get(name));
  const path = withQuery("/api/price", { q, source, sort, p, page_size: pageSize });
  const loaded = useGet<Listed<PriceView>>(path);
  const items = loaded.data?.items;
  const at = items?.findIndex(({ model }) => model === pageId.value) ?? -1;
  const step = (by: number) => {
    const to = at === -1 ? undefined : items?.[at + by];
    return to && (() => openId(to.model));
  };
  const opened = useOpened(items, at);
  return (
    <>
      <Unpriced />
      <Filters path={path} />
      <Card isFlush>
        <List
          label={titleOf("prices")}
          loaded={loaded}
          columns={columnsOf()}
          idOf={({ model }) => model}
          openId={pageId.value}
          onOpen={({ model }) => openId(model)}
          empty={<NoPrices isFiltered={Boolean(q || source)} />}
        />
      </Card>
      {opened && (
        <PriceDetail key={opened.model} view={opened} onPrevious={step(-1)} onNext={step(1)} />
      )}
    </>
  );
}

/** One that another page of the list has is asked for by its name. */
function useOpened(items: readonly PriceView[] | undefined, at: number): PriceView | undefined {
  const isElsewhere = pageId.value !== null && items !== undefined && at === -1;
  const path = withQuery("/api/price", { q: pageId.value, page_size: 100 });
  const { data } = useGet<Listed<PriceView>>(isElsewhere ? path : null);
  if (at !== -1) return items?.[at];
  return isElsewhere ? data?.items.find(({ model }) => model === pageId.value) : undefined;
}

function columnsOf(): Column<PriceView>[] {
  const words = t();
  const tokens = [
    "input_micros_per_million",
    "output_micros_per_million",
    "cache_read_micros_per_million",
    "cache_write_micros_per_million",
  ] as const;
  const sorts = ["input", "output"];
  return [
    {
      name: "model",
      head: words.model,
      cell: (view) => <Name view={view} />,
      card: "title",
      sort: "model",
    },
    {
      name: "source",
      head: words.source,
      cell: ({ source }) => (
        <Badge tone={source === "own" ? "accent" : "none"}>{words.sources[source]}</Badge>
      ),
      card: "aside",
    },
    ...tokens.map((name, at): Column<PriceView> => ({
      name,
      head: words.amounts[name],
      cell: (view) => <Amount micros={view[name]} />,
      isRight: true,
      ...(sorts[at] !== undefined && { sort: sorts[at] }),
      hasHead: true,
      card: at < 2 ? "line" : "hidden",
    })),
    {
      name: "piece",
      head: words.piece,
      cell: pieceOf,
      isRight: true,
    },
    {
      name: "rules",
      head: words.tiers,
      cell: (view) => (rulesOf(view) === 0 ? "" : words.tierCount(rulesOf(view))),
      isRight: true,
      card: "hidden",
    },
  ];
}

function Name({ view: { model, declared } }: { view: PriceView }) {
  return (
    <span class="row">
      {declared && <Icon name="lock" />}
      <span class="mono cut">{model}</span>
    </span>
  );
}

/** What channels serve and nobody has a price for: the way to it is one click. */
function Unpriced() {
  const [model, setModel] = useState<string | null>(null);
  const { data } = useGet<Listed<ChannelView>>("/api/channel?page_size=100");
  const names = [...new Set(data?.items.flatMap(({ unpriced }) => unpriced))];
  return (
    <>
      {names.length > 0 && (
        <div class="notice warn">
          <span class="wrap">{t().unpriced(names.length)}</span>
          {names.map((name) => (
            <Button key={name} isSmall onClick={() => setModel(name)}>
              {name}
            </Button>
          ))}
        </div>
      )}
      {model !== null && <EditPrice model={model} view={null} onClose={() => setModel(null)} />}
    </>
  );
}

function Filters({ path }: { path: string }) {
  const words = t();
  const options = [
    ["", words.anySource],
    ["own", words.sources.own],
    ["list", words.sources.list],
    ["catalogue", words.sources.catalogue],
  ] as const;
  const source = query.value.get("source");
  return (
    <div class="bar">
      <SearchBox label={words.search} />
      <FilterSelect
        label={words.source}
        value={options.find(([name]) => name === source)?.[0] ?? ""}
        options={options}
        onChange={(next) => setQuery({ source: next, p: null })}
      />
      <span class="faint">{words.perMillion}</span>
      <span class="push">
        <CurlButton path={path} />
      </span>
    </div>
  );
}

function NoPrices({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) return <Empty title={t().empty} />;
  return (
    <Empty title={t().noMatch} text={t().noMatchText}>
      <ClearFilters onClick={() => setQuery({ q: null, source: null, p: null })} />
    </Empty>
  );
}
