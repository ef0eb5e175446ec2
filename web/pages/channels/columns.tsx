// The columns of the list of channels.
import type { ChannelView } from "../../../src/admin/contract.ts";
import { may } from "../../core/session.ts";
import { count, lately, moment } from "../../core/format.ts";
import { Badge } from "../../kit/badge.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Menu, type MenuItem } from "../../kit/menu.tsx";
import type { ColumnOf } from "../../shell/list-page.tsx";
import { copyChannel, setEnabled, setPriority } from "./actions.tsx";
import { Grip } from "./move.tsx";
import {
  CachedShare,
  ChannelState,
  DayStrip,
  KeyCount,
  type Opened,
  type useDay,
} from "./parts.tsx";
import { t } from "./words.ts";

interface ColumnOptions {
  items: readonly ChannelView[];
  dayOf: ReturnType<typeof useDay>;
  selected: ReadonlySet<string>;
  toggle(id: string): void;
  onOpen(opened: Opened): void;
}

export function columnsOf({ items, dayOf, selected, toggle, onOpen }: ColumnOptions) {
  const words = t();
  const columns: (ColumnOf<"GET /api/channel"> | false)[] = [
    may("channels.write") && {
      name: "select",
      head: "",
      cell: (view) => <Selector {...{ view, selected, toggle }} />,
      card: "hidden",
    },
    { name: "name", head: words.channel, cell: (view) => <Name view={view} />, card: "title" },
    {
      name: "state",
      head: words.state,
      cell: (view) => <ChannelState view={view} />,
      card: "aside",
    },
    {
      name: "order",
      head: words.order,
      cell: (view) => <Order {...{ view, items }} />,
      hasHead: true,
    },
    {
      name: "groups",
      head: words.groups,
      cell: ({ groups }) => groups.join(", "),
      card: "hidden",
      yields: "soonest",
    },
    {
      name: "models",
      head: words.models,
      cell: ({ models }) => <span title={models.join("\n")}>{count(models.length)}</span>,
      isRight: true,
      hasHead: true,
    },
    {
      name: "keys",
      head: words.keys,
      cell: (view) => <KeyCount view={view} />,
      yields: "soon",
      isRight: true,
      card: "hidden",
    },
    {
      name: "flight",
      head: words.flight,
      cell: (view) => <Flight view={view} />,
      yields: "late",
      isRight: true,
      card: "hidden",
    },
    {
      name: "cached",
      head: words.cachedShare,
      cell: ({ id }) => <CachedShare day={dayOf(id)} />,
      yields: "soon",
      isRight: true,
      card: "hidden",
    },
    { name: "day", head: words.last24h, cell: ({ id }) => <DayStrip day={dayOf(id)} /> },
    ...lastColumns(onOpen),
  ];
  return columns;
}

function lastColumns(onOpen: ColumnOptions["onOpen"]): ColumnOf<"GET /api/channel">[] {
  return [
    {
      name: "error",
      head: t().lastError,
      cell: (view) => <LastError view={view} />,
      yields: "late",
      card: "hidden",
    },
    {
      name: "actions",
      head: "",
      cell: (view) => <RowMenu {...{ view, onOpen }} />,
      isRight: true,
      card: "hidden",
    },
  ];
}

type SelectorOptions = Pick<ColumnOptions, "selected" | "toggle"> & { view: ChannelView };

/** A channel that cannot be changed here is not selected. */
function Selector({ view, selected, toggle }: SelectorOptions) {
  if (view.sandbox || view.declared) return null;
  return (
    <label class="selector">
      <input
        type="checkbox"
        aria-label={t().select(view.name)}
        checked={selected.has(view.id)}
        onChange={() => toggle(view.id)}
      />
    </label>
  );
}

function Name({ view: { name, type, declared, sandbox } }: { view: ChannelView }) {
  return (
    <span class="row drops">
      <span class="row">
        {declared && <Icon name="lock" />}
        <span class="cut">{name}</span>
      </span>
      {sandbox ? <Badge>{t().sandbox}</Badge> : <span class="faint">{type}</span>}
    </span>
  );
}

function Order({ view, items }: Pick<ColumnOptions, "items"> & { view: ChannelView }) {
  const { priority, weight } = view;
  return (
    <span class="order number" title={t().orderTitle(priority, weight)}>
      {may("channels.write") && <Grip {...{ view, items }} />}
      {String(priority)} <span class="faint">{t().weightOf(weight)}</span>
    </span>
  );
}

function Flight({ view: { in_flight: running, concurrency } }: { view: ChannelView }) {
  return (
    <span class="number">
      {count(running)}
      {concurrency !== null && <span class="faint">{` / ${count(concurrency)}`}</span>}
    </span>
  );
}

function LastError({ view }: { view: ChannelView }) {
  const error = view.health.last_error;
  if (!error) return <span class="faint">–</span>;
  const { code, message, status, at } = error;
  return (
    <span class="last-error" title={`${moment(at, "full")}\n${message}`}>
      <span class="faint">{lately(at)}</span> {status ?? code} <span class="quiet">{message}</span>
    </span>
  );
}

interface MenuOptions {
  view: ChannelView;
  onOpen(opened: Opened): void;
}

function RowMenu({ view, onOpen }: MenuOptions) {
  const words = t();
  const isOn = view.status === "enabled";
  if (view.sandbox || !may("channels.write")) return null;
  const change: MenuItem[] = [
    { label: words.raise, icon: "up", run: () => void setPriority(view, view.priority + 1) },
    { label: words.lower, icon: "down", run: () => void setPriority(view, view.priority - 1) },
    {
      label: isOn ? words.disable : words.enable,
      icon: isOn ? "stop" : "play",
      run: () => void setEnabled(view, !isOn),
    },
    {
      label: words.remove,
      icon: "trash",
      isDanger: true,
      run: () => onOpen({ kind: "remove", view }),
    },
  ];
  return (
    <Menu
      label={words.actions(view.name)}
      items={[
        { label: words.test, icon: "status", run: () => onOpen({ kind: "test", view }) },
        { label: words.copy, icon: "copy", run: () => void copyChannel(view) },
        ...(view.declared ? [] : change),
      ]}
    />
  );
}
