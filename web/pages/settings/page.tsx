// Settings: each with its value, where it comes from, what it is by itself, and what it does.
import type { SettingsView, SettingView } from "../../../src/admin/contract.ts";
import { may } from "../../core/session.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, useAnswer } from "../../core/control.ts";
import { moment } from "../../core/format.ts";
import { openId, pageId, query, setQuery } from "../../core/place.ts";
import { Waiting } from "../../kit/waiting.tsx";
import { Badge } from "../../kit/badge.tsx";
import { Button, LinkButton } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { ClearFilters, SearchBox } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { later } from "../../kit/later.tsx";
import { Table, type Column } from "../../kit/table.tsx";
import { showToast } from "../../kit/toast.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { Icon } from "../../kit/icon.tsx";
import { shownText } from "./draft.ts";
import { labelOf, sectionOrder, sectionTitle } from "./labels/words.ts";
import { writeInUnit } from "./units.ts";
import { t } from "./words.ts";

const path = "/api/setting";
const SettingDetail = later(async () => (await import("./later-parts.ts")).SettingDetail);
const Notices = later(async () => (await import("./later-parts.ts")).Notices);

/** The settings, or what needed a person, which follows from those of notices. */
export function Page() {
  return query.value.get("view") === "notices" ? <Notices /> : <Settings />;
}

function Settings() {
  const { data, error, reload } = useAnswer("GET /api/setting");
  const readAgain = useAction(async () => {
    await send("POST /api/setting/reload");
    refresh(path);
    showToast(t().wasReloaded);
  });
  const tools = (
    <>
      <LinkButton icon="announcements" href="?view=notices">
        {sectionTitle("notices")}
      </LinkButton>
      {data !== null && data.file !== null && may("settings.write") && (
        <Button icon="refresh" isBusy={readAgain.isBusy} onClick={() => void readAgain.run()}>
          {t().reload}
        </Button>
      )}
    </>
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
  const sections = toSections(shown);
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

/** Sections that are changed here come first, in their order. */
function toSections(shown: readonly SettingView[]): [title: string, rows: SettingView[]][] {
  const sections = Map.groupBy(shown, ({ name }) => sectionOf(name));
  const order = sectionOrder();
  const place = (name: string) => (order.indexOf(name) + order.length) % order.length;
  const isKnown = (name: string) => order.includes(name);
  return [...sections]
    .toSorted(([left], [right]) =>
      isKnown(left) && isKnown(right)
        ? place(left) - place(right)
        : Number(isKnown(right)) - Number(isKnown(left)),
    )
    .map(([name, rows]) => [sectionTitle(name), rows]);
}

function Name({ name }: { name: string }) {
  const label = labelOf(name);
  if (label === null) return <span class="mono">{name}</span>;
  return (
    <>
      <span>{label}</span> <span class="mono faint key">{name}</span>
    </>
  );
}

/** Those of no section stand together, and so do variables of the environment. */
function sectionOf(name: string): string {
  if (/^[A-Z0-9_]+$/.test(name)) return t().variables;
  return name.includes(".") ? (name.split(".")[0] ?? "") : t().general;
}

function isShown({ name, description, source, pending, page }: SettingView): boolean {
  const text = (query.value.get("q") ?? "").toLowerCase();
  // A search looks among all of them.
  const only = query.value.get("source") ?? (text === "" ? "" : "all");
  if (only === "" && !page) return false;
  if (only === "set" && source === "default") return false;
  if (only === "pending" && pending === null) return false;
  return `${name} ${labelOf(name) ?? ""} ${description}`.toLowerCase().includes(text);
}

function columns(): Column<SettingView>[] {
  const words = t();
  return [
    {
      name: "name",
      head: words.setting,
      cell: ({ name }) => <Name name={name} />,
      card: "title",
    },
    {
      name: "value",
      head: words.value,
      cell: ({ name, value, schema, pending, place, page }) => (
        <span class="row">
          <span class={schema === null ? "mono cut" : "cut"}>{shownText(schema, value)}</span>
          <InUnit name={name} value={value} />
          {place !== null && page && (
            <span class="faint" title={place}>
              <Icon name="lock" />
            </span>
          )}
          {pending !== null && <Badge tone="warn">{words.pendingMark}</Badge>}
        </span>
      ),
    },
    {
      name: "default",
      head: words.usual,
      cell: (one) => <span class="faint">{shownText(one.schema, one.default)}</span>,
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

/** A raw number beside it is what the file has. */
function InUnit({ name, value }: Pick<SettingView, "name" | "value">) {
  const text = writeInUnit(name, value);
  return text === null ? null : <span class="faint">{`= ${text}`}</span>;
}

function Filters() {
  const words = t();
  const source = query.value.get("source");
  const options = [
    ["", words.changeable],
    ["all", words.all],
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
