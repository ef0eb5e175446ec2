// Every price, with those first that are missing.
import { useState } from "preact/hooks";
import type { PriceView } from "../../../src/admin/contract.ts";
import { useEvery } from "../../core/lists/every.ts";
import { may } from "../../core/session.ts";
import { useAnswer } from "../../core/control.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Icon } from "../../kit/icon.tsx";
import { ListView, type ColumnOf, type Opened } from "../../shell/list-page.tsx";
import { titleOf } from "../titles.ts";
import { PriceDetail } from "./detail.tsx";
import { EditPrice } from "./edit.tsx";
import { Amount, pieceOf, rulesOf } from "./parts.tsx";
import { t } from "./words.ts";

type PriceColumn = ColumnOf<"GET /api/price">;

export function PriceList() {
  const words = t();
  return (
    <>
      <Unpriced />
      <ListView
        label={titleOf("prices")}
        at="GET /api/price"
        words={words}
        filters={[
          { name: "q", label: words.search },
          { name: "source", label: words.source, all: words.anySource, choices: words.sources },
        ]}
        columns={columnsOf()}
        idOf={({ model }) => model}
        tools={() => <span class="faint">{words.perMillion}</span>}
        open={(opened) => <Open key={opened.id} {...opened} />}
      />
    </>
  );
}

/** One that another page of the list has is asked for by its name. */
function Open({ id, row, isLoaded, ...steps }: Opened<PriceView>) {
  const isElsewhere = isLoaded && !row;
  const query = { q: id, page_size: 100 };
  const { data } = useAnswer(isElsewhere ? "GET /api/price" : null, { query });
  const view = row ?? data?.items.find(({ model }) => model === id);
  return view ? <PriceDetail view={view} {...steps} /> : null;
}

function columnsOf(): PriceColumn[] {
  const words = t();
  const tokens = [
    "input_micros_per_million",
    "output_micros_per_million",
    "cache_read_micros_per_million",
    "cache_write_micros_per_million",
  ] as const;
  const sorts = ["input", "output"] as const;
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
    ...tokens.map((name, at): PriceColumn => ({
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

/** Models that channels serve and nobody has a price for: the way to one is one click. */
function Unpriced() {
  const [model, setModel] = useState<string | null>(null);
  const seesChannels = may("channels.read") && may("prices.write");
  const { rows } = useEvery(seesChannels ? "GET /api/channel" : null);
  const names = [...new Set(rows.flatMap(({ unpriced }) => unpriced))];
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
