// Videos and images: what vendors make while nobody waits. Admins see everyone's, others their own.
import { useEffect, useState } from "preact/hooks";
import type { Listed, OwnTaskView, TaskView } from "../../../src/admin/contract.ts";
import { useGet, withQuery, type Loaded } from "../../core/api.ts";
import { openId, pageId, query, setQuery } from "../../core/place.ts";
import { scoped } from "../../core/session.ts";
import { CurlButton } from "../../kit/code.tsx";
import { ClearFilters, Empty } from "../../kit/empty.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { FilterChips, SearchBox } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { List } from "../../kit/table.tsx";
import { Segments } from "../../kit/tabs.tsx";
import { titleOf } from "../titles.ts";
import { Screen } from "../../shell/screen.tsx";
import { columnsOf } from "./columns.tsx";
import { TaskDrawer } from "./detail.tsx";
import { Gallery } from "./gallery.tsx";
import { isRunning, stateName, states, type Shown } from "./parts.tsx";
import { t } from "./words.ts";

const pageSize = 24;
const everyMs = 4000;

export function Page() {
  const names = ["kind", "state", "model", "account", "p"] as const;
  const filters = Object.fromEntries(names.map((name) => [name, query.value.get(name)]));
  const path = withQuery(scoped("/api/task"), { ...filters, page_size: pageSize });
  const loaded = useTasks(path);
  const items = loaded.data?.items ?? [];
  const at = items.findIndex(({ id }) => id === pageId.value);
  const step = (by: number) => {
    const to = at === -1 ? undefined : items[at + by];
    return to && (() => openId(to.id));
  };
  const isFiltered = names.some((name) => name !== "p" && filters[name]);
  const view = query.value.get("view") === "list" ? "list" : "gallery";
  const shared = { loaded, empty: <Nothing isFiltered={isFiltered} /> };
  return (
    <Screen title={titleOf("media")}>
      <Filters path={path} view={view} />
      {view === "gallery" ? (
        <Gallery {...shared} />
      ) : (
        <Card isFlush>
          <List
            {...shared}
            label={titleOf("media")}
            columns={columnsOf()}
            idOf={({ id }) => id}
            openId={pageId.value}
            onOpen={({ id }) => openId(id)}
          />
        </Card>
      )}
      {pageId.value !== null && (
        <TaskDrawer key={pageId.value} id={pageId.value} onPrevious={step(-1)} onNext={step(1)} />
      )}
    </Screen>
  );
}

/** Asked for again while something of it runs. */
function useTasks(path: string): Loaded<Listed<Shown>> {
  const [isMoving, setMoving] = useState(false);
  const loaded = useGet<Listed<OwnTaskView & Partial<TaskView>>>(path, isMoving ? everyMs : 0);
  const runs = loaded.data?.items.some(isRunning) ?? false;
  useEffect(() => setMoving(runs), [runs]);
  return loaded;
}

function Filters({ path, view }: { path: string; view: "gallery" | "list" }) {
  const words = t();
  const kinds = [
    ["", words.anyKind],
    ["video", words.videos],
    ["image", words.images],
  ] as const;
  const anyState = [["", words.anyState] as const];
  const options = [...anyState, ...states.map((one) => [one, stateName(one)] as const)];
  const chosen = (name: string) => query.value.get(name) ?? "";
  const kind = kinds.find(([one]) => one === chosen("kind"))?.[0] ?? "";
  const state = options.find(([one]) => one === chosen("state"))?.[0] ?? "";
  const account = chosen("account");
  return (
    <>
      <div class="bar">
        <SearchBox name="model" label={words.searchModel} />
        <FilterSelect
          label={words.kind}
          value={kind}
          options={kinds}
          onChange={(next) => setQuery({ kind: next, p: null })}
        />
        <FilterSelect
          label={words.state}
          value={state}
          options={options}
          onChange={(next) => setQuery({ state: next, p: null })}
        />
        <span class="push row">
          <CurlButton path={path} />
          <Segments
            label={words.view}
            value={view}
            options={[
              ["gallery", words.gallery],
              ["list", words.list],
            ]}
            onChange={(next) => setQuery({ view: next === "list" ? next : null })}
          />
        </span>
      </div>
      <FilterChips
        chips={[account !== "" && { name: "account", text: words.ofAccount(account) }]}
      />
    </>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) return <Empty title={t().empty} text={t().emptyText} />;
  const clear = () => setQuery({ kind: null, state: null, model: null, account: null, p: null });
  return (
    <Empty title={t().noMatch} text={t().noMatchText}>
      <ClearFilters onClick={clear} />
    </Empty>
  );
}
