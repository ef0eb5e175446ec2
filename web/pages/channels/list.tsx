// The channels in the order in which they are asked, with how each is doing now.
import { useState } from "preact/hooks";
import { may } from "../../core/session.ts";
import { openId, pageId, query, setQuery } from "../../core/place.ts";
import { Button } from "../../kit/button.tsx";
import { Check } from "../../kit/field.tsx";
import { Card } from "../../kit/figures.tsx";
import { later } from "../../kit/later.tsx";
import { ListView } from "../../shell/list-page.tsx";
import { titleOf } from "../titles.ts";
import { RemoveChannels } from "./actions.tsx";
import { BatchBar } from "./batch.tsx";
import { columnsOf } from "./columns.tsx";
import { useGroups } from "./groups.ts";
import { Movable } from "./move.tsx";
import { useDay, type Opened } from "./parts.tsx";
import { TestChannel } from "./test.tsx";
import { t } from "./words.ts";

const ChannelDetail = later(async () => (await import("./detail.tsx")).ChannelDetail);
const YamlDialog = later(async () => (await import("./yaml.tsx")).YamlDialog);

const none: ReadonlySet<string> = new Set();

export function ChannelList({ onAdd }: { onAdd(): void }) {
  const words = t();
  const [opened, setOpened] = useState<Opened>(null);
  const [selected, setSelected] = useState(none);
  const dayOf = useDay();
  const groups = Object.fromEntries(useGroups().map((name) => [name, name]));
  const { enabled, disabled } = words;
  const toggle = (id: string) => setSelected(without(selected, id));
  return (
    <>
      <ListView
        label={titleOf("channels")}
        at="GET /api/channel"
        everyMs={5000}
        words={words}
        filters={[
          { name: "q", label: words.search },
          {
            name: "status",
            label: words.state,
            all: words.anyStatus,
            choices: { enabled, disabled },
          },
          { name: "group", label: words.group, all: words.anyGroup, choices: groups },
          { name: "model", label: words.model, isLinked: "chip" },
          { name: "sandbox", label: words.practice, isLinked: "hidden" },
        ]}
        columns={(items) => columnsOf({ items, dayOf, selected, toggle, onOpen: setOpened })}
        tools={() => <Tools />}
        above={
          selected.size > 0 && <BatchBar ids={[...selected]} onDone={() => setSelected(none)} />
        }
        show={({ items, table }) => (
          <Card isFlush>
            {may("channels.write") ? <Movable items={items}>{table}</Movable> : table}
          </Card>
        )}
        open={({ id, row, ...steps }) => (
          <ChannelDetail
            key={id}
            id={id}
            listed={row}
            day={dayOf(id)}
            onOpen={setOpened}
            {...steps}
          />
        )}
        offer={may("channels.write") && <Offer onAdd={onAdd} />}
      />
      <Over opened={opened} onClose={() => setOpened(null)} />
    </>
  );
}

function Over({ opened, onClose }: { opened: Opened; onClose(): void }) {
  if (!opened) return null;
  const { kind, view } = opened;
  if (kind === "test") return <TestChannel {...{ view, onClose }} />;
  return (
    <RemoveChannels
      ids={[view.id]}
      name={view.name}
      onClose={onClose}
      onDone={() => pageId.value === view.id && openId(null)}
    />
  );
}

function without(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names);
  if (!next.delete(name)) next.add(name);
  return next;
}

/** The channels of the sandbox, and the file that channels can be taken along in. */
function Tools() {
  const words = t();
  const [isYaml, setYaml] = useState(false);
  return (
    <>
      <Check
        label={words.practice}
        isOn={query.value.get("sandbox") === "true"}
        onChange={(isOn) => setQuery({ sandbox: isOn ? "true" : null, p: null })}
      />
      {may("channels.write") && (
        <Button kind="plain" isSmall icon="upload" onClick={() => setYaml(true)}>
          {words.yaml}
        </Button>
      )}
      {isYaml && <YamlDialog onClose={() => setYaml(false)} />}
    </>
  );
}

function Offer({ onAdd }: { onAdd(): void }) {
  return (
    <div class="row wraps">
      <Button onClick={() => setQuery({ sandbox: "true" })}>{t().showPractice}</Button>
      <Button kind="main" icon="plus" onClick={onAdd}>
        {t().addChannel}
      </Button>
    </div>
  );
}
