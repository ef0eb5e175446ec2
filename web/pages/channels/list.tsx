// The channels in the order in which they are asked, with how each is doing now.
import { useState } from "preact/hooks";
import type { ChannelView, Listed } from "../../../src/admin/contract.ts";
import { useGet, withQuery } from "../../core/api.ts";
import { openId, pageId, query, setQuery } from "../../core/place.ts";
import { Button } from "../../kit/button.tsx";
import { ClearFilters, Empty } from "../../kit/empty.tsx";
import { Card } from "../../kit/figures.tsx";
import { List } from "../../kit/table.tsx";
import { titleOf } from "../titles.ts";
import { RemoveChannels } from "./actions.tsx";
import { BatchBar } from "./batch.tsx";
import { columnsOf } from "./columns.tsx";
import { ChannelDetail } from "./detail.tsx";
import { Filters, filterNames } from "./filters.tsx";
import { Movable } from "./move.tsx";
import { useDay, type Opened } from "./parts.tsx";
import { TestChannel } from "./test.tsx";
import { t } from "./words.ts";

const pageSize = 50;
const everyMs = 5000;
const none: ReadonlySet<string> = new Set();

export function ChannelList({ onAdd }: { onAdd(): void }) {
  const [opened, setOpened] = useState<Opened>(null);
  const [selected, setSelected] = useState(none);
  const filters = Object.fromEntries(filterNames.map((name) => [name, query.value.get(name)]));
  const path = withQuery("/api/channel", { ...filters, page_size: pageSize });
  const loaded = useGet<Listed<ChannelView>>(path, everyMs);
  const dayOf = useDay();
  const items = loaded.data?.items ?? [];
  const toggle = (id: string) => setSelected(without(selected, id));
  const close = () => setOpened(null);
  return (
    <>
      <Filters path={path} />
      {selected.size > 0 && <BatchBar ids={[...selected]} onDone={() => setSelected(none)} />}
      <Card isFlush>
        <Movable items={items}>
          <List
            label={titleOf("channels")}
            loaded={loaded}
            columns={columnsOf({ items, dayOf, selected, toggle, onOpen: setOpened })}
            idOf={({ id }) => id}
            openId={pageId.value}
            onOpen={({ id }) => openId(id)}
            empty={<NoChannels onAdd={onAdd} />}
          />
        </Movable>
      </Card>
      {pageId.value !== null && (
        <Detail id={pageId.value} items={items} dayOf={dayOf} onOpen={setOpened} />
      )}
      {opened?.kind === "test" && <TestChannel view={opened.view} onClose={close} />}
      {opened?.kind === "remove" && (
        <RemoveChannels
          ids={[opened.view.id]}
          name={opened.view.name}
          onClose={close}
          onDone={() => pageId.value === opened.view.id && openId(null)}
        />
      )}
    </>
  );
}

function without(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names);
  if (!next.delete(name)) next.add(name);
  return next;
}

interface DetailOptions {
  id: string;
  items: readonly ChannelView[];
  dayOf: ReturnType<typeof useDay>;
  onOpen(opened: Opened): void;
}

function Detail({ id, items, dayOf, onOpen }: DetailOptions) {
  const at = items.findIndex((one) => one.id === id);
  const step = (by: number) => {
    const to = at === -1 ? undefined : items[at + by];
    return to && (() => openId(to.id));
  };
  return (
    <ChannelDetail
      key={id}
      id={id}
      listed={items[at]}
      day={dayOf(id)}
      onOpen={onOpen}
      onPrevious={step(-1)}
      onNext={step(1)}
    />
  );
}

function NoChannels({ onAdd }: { onAdd(): void }) {
  const words = t();
  if (filterNames.some((name) => query.value.get(name) !== null)) {
    const clear = () => setQuery(Object.fromEntries(filterNames.map((name) => [name, null])));
    return (
      <Empty title={words.noMatch} text={words.noMatchText}>
        <ClearFilters onClick={clear} />
      </Empty>
    );
  }
  return (
    <Empty title={words.empty} text={words.emptyText}>
      <div class="row wraps">
        <Button onClick={() => setQuery({ sandbox: "true" })}>{words.showPractice}</Button>
        <Button kind="main" icon="plus" onClick={onAdd}>
          {words.add}
        </Button>
      </div>
    </Empty>
  );
}
