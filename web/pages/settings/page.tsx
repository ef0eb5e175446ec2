// Settings: each with its value, where it comes from, what it is by itself, and what it does.
import type { SettingsView, SettingView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, useAnswer } from "../../core/control.ts";
import { moment } from "../../core/format.ts";
import { openId, pageId, query, setQuery } from "../../core/place.ts";
import { Waiting } from "../../kit/waiting.tsx";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { ClearFilters, Empty } from "../../kit/empty.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { SearchBox } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { Table, type Column } from "../../kit/table.tsx";
import { showToast } from "../../kit/toast.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { SettingDetail } from "./detail.tsx";
import { textOf } from "./text.ts";
import { t } from "./words.ts";

const path = "/api/setting";

export function Page() {
  const { data, error, reload } = useAnswer("GET /api/setting");
  const readAgain = useAction(async () => {
    await send("POST /api/setting/reload");
    refresh(path);
    showToast(t().wasReloaded);
  });
  const tools = data !== null && data.file !== null && (
    <Button icon="refresh" isBusy={readAgain.isBusy} onClick={() => void readAgain.run()}>
      {t().reload}
    </Button>
  );
  return (
    <Screen title={titleOf("settings")} tools={tools}>
      <Refusal error={readAgain.error} />
      <Waiting {...{ data, error, reload }} lines={12} />
      {data && <Shown settings={data} />}
    </Screen>
  );
}

function Shown({ settings: { items, file, loaded_at: at } }: { settings: SettingsView }) {
  const words = t();
  const shown = items.filter(isShown);
  const sections = Map.groupBy(shown, ({ name }) => sectionOf(name));
  const pending = items.filter((one) => one.pending !== null).length;
  const place = shown.findIndex(({ name }) => name === pageId.value);
  const open = items.find(({ name }) => name === pageId.value);
  const step = (by: number) => {
    const to = place === -1 ? undefined : shown[place + by];
    return to && (() => openId(to.name));
  };
  return (
    <>
      <Filters />
      <p class="quiet wrap">
        {file === null ? words.noFile : words.fromFile(file, moment(at, "full"))}
      </p>
      {pending > 0 && <p class="notice warn">{words.pendingCount(pending)}</p>}
      {shown.length === 0 && <NoMatch />}
      <div class="stack settings">
        {[...sections].map(([name, rows]) => (
          <Card key={name} title={name} isFlush>
            <Table
              label={name}
              columns={columns()}
              rows={rows}
              idOf={(one) => one.name}
              openId={pageId.value}
              onOpen={(one) => openId(one.name)}
            />
          </Card>
        ))}
      </div>
      {open && <SettingDetail setting={open} onPrevious={step(-1)} onNext={step(1)} />}
    </>
  );
}

/** Those of no section stand together, and so do variables of the environment. */
function sectionOf(name: string): string {
  if (/^[A-Z0-9_]+$/.test(name)) return t().variables;
  return name.includes(".") ? (name.split(".")[0] ?? "") : t().general;
}

function isShown({ name, description, source, pending }: SettingView): boolean {
  const text = (query.value.get("q") ?? "").toLowerCase();
  const only = query.value.get("source");
  if (only === "set" && source === "default") return false;
  if (only === "pending" && pending === null) return false;
  return `${name} ${description}`.toLowerCase().includes(text);
}

function columns(): Column<SettingView>[] {
  const words = t();
  return [
    {
      name: "name",
      head: words.setting,
      cell: ({ name }) => <span class="mono">{name}</span>,
      card: "title",
    },
    {
      name: "value",
      head: words.value,
      cell: ({ value, pending }) => (
        <span class="row">
          <span class="mono cut">{textOf(value)}</span>
          {pending !== null && <Badge tone="warn">{words.pendingMark}</Badge>}
        </span>
      ),
    },
    {
      name: "default",
      head: words.usual,
      cell: (one) => <span class="mono faint">{textOf(one.default)}</span>,
      card: "hidden",
    },
    {
      name: "source",
      head: words.source,
      cell: ({ source }) =>
        source === "default" ? (
          <span class="faint">{words.sources.default}</span>
        ) : (
          <Badge tone="accent">{words.sources[source]}</Badge>
        ),
      card: "aside",
    },
  ];
}

function Filters() {
  const words = t();
  const source = query.value.get("source");
  const options = [
    ["", words.all],
    ["set", words.onlySet],
    ["pending", words.onlyPending],
  ] as const;
  return (
    <div class="bar">
      <SearchBox label={words.search} />
      <FilterSelect
        label={words.source}
        value={options.find(([one]) => one === source)?.[0] ?? ""}
        options={options}
        onChange={(next) => setQuery({ source: next })}
      />
      <span class="push">
        <CurlButton path={path} />
      </span>
    </div>
  );
}

function NoMatch() {
  return (
    <Card>
      <Empty title={t().noMatch}>
        <ClearFilters onClick={() => setQuery({ q: null, source: null })} />
      </Empty>
    </Card>
  );
}
