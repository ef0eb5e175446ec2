// Assets: media that is registered once, and named in requests as `asset://` and its id.
import { useEffect, useState } from "preact/hooks";
import type { AssetView, Listed, OwnAssetView } from "../../../src/admin/contract.ts";
import { useGet, withQuery, type Loaded } from "../../core/api.ts";
import { isMaking, openId, pageId, query, setMaking, setQuery } from "../../core/place.ts";
import { isAdmin } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { ClearFilters, Empty } from "../../kit/empty.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { FilterChips } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { List } from "../../kit/table.tsx";
import { Segments } from "../../kit/tabs.tsx";
import { titleOf } from "../titles.ts";
import { Screen } from "../../shell/screen.tsx";
import { AddAsset } from "./add.tsx";
import { AssetDrawer, DeleteAsset } from "./detail.tsx";
import { columnsOf, type Shown } from "./columns.tsx";
import { t } from "./words.ts";

const pageSize = 50;
const everyMs = 2000;

export function Page() {
  const [removed, setRemoved] = useState<Shown | null>(null);
  const showsAll = isAdmin() && query.value.get("whose") === "all";
  const base = showsAll ? "/api/assets" : "/api/asset";
  const names = ["kind", "status", "p"] as const;
  const filters = Object.fromEntries(names.map((name) => [name, query.value.get(name)]));
  const account = showsAll ? query.value.get("account") : null;
  const path = withQuery(base, { ...filters, account, page_size: pageSize });
  const loaded = useAssets(path);
  const items = loaded.data?.items ?? [];
  const at = items.findIndex(({ id }) => id === pageId.value);
  const step = (by: number) => {
    const to = at === -1 ? undefined : items[at + by];
    return to && (() => openId(to.id));
  };
  const isFiltered = Boolean(filters["kind"] ?? filters["status"] ?? account);
  const add = (
    <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
      {t().add}
    </Button>
  );
  return (
    <Screen title={titleOf("assets")} tools={add}>
      <Filters path={path} showsAll={showsAll} />
      <FilterChips
        chips={[account !== null && { name: "account", text: t().ofAccount(account) }]}
      />
      <Card isFlush>
        <List
          label={titleOf("assets")}
          loaded={loaded}
          columns={columnsOf(showsAll ? null : setRemoved)}
          idOf={({ id }) => id}
          openId={pageId.value}
          onOpen={({ id }) => openId(id)}
          empty={<NoAssets isFiltered={isFiltered} onAdd={() => setMaking(true)} />}
        />
      </Card>
      {pageId.value !== null && (
        <AssetDrawer
          key={pageId.value}
          id={pageId.value}
          base={base}
          onPrevious={step(-1)}
          onNext={step(1)}
        />
      )}
      {isMaking() && <AddAsset onClose={() => setMaking(false)} />}
      {removed && <DeleteAsset asset={removed} onClose={() => setRemoved(null)} />}
    </Screen>
  );
}

/** Asked for again while one of them is looked at. */
function useAssets(path: string): Loaded<Listed<Shown>> {
  const [isMoving, setMoving] = useState(false);
  const loaded = useGet<Listed<OwnAssetView & Partial<AssetView>>>(path, isMoving ? everyMs : 0);
  const waits = loaded.data?.items.some(({ status }) => status === "processing") ?? false;
  useEffect(() => setMoving(waits), [waits]);
  return loaded;
}

function Filters({ path, showsAll }: { path: string; showsAll: boolean }) {
  const words = t();
  const kinds = [
    ["", words.anyKind],
    ["image", words.kinds.image],
    ["video", words.kinds.video],
    ["audio", words.kinds.audio],
  ] as const;
  const statuses = [
    ["", words.anyStatus],
    ["active", words.statuses.active],
    ["processing", words.statuses.processing],
    ["failed", words.statuses.failed],
  ] as const;
  const kind = kinds.find(([one]) => one === query.value.get("kind"))?.[0] ?? "";
  const status = statuses.find(([one]) => one === query.value.get("status"))?.[0] ?? "";
  return (
    <div class="bar">
      <FilterSelect
        label={words.kind}
        value={kind}
        options={kinds}
        onChange={(next) => setQuery({ kind: next, p: null })}
      />
      <FilterSelect
        label={words.status}
        value={status}
        options={statuses}
        onChange={(next) => setQuery({ status: next, p: null })}
      />
      <span class="push row">
        <CurlButton path={path} />
        {isAdmin() && (
          <Segments
            label={words.whose}
            value={showsAll ? "all" : "own"}
            options={[
              ["own", words.mine],
              ["all", words.everyones],
            ]}
            onChange={(next) =>
              setQuery({ whose: next === "all" ? next : null, account: null, p: null })
            }
          />
        )}
      </span>
    </div>
  );
}

function NoAssets({ isFiltered, onAdd }: { isFiltered: boolean; onAdd(): void }) {
  if (isFiltered) {
    const clear = () => setQuery({ kind: null, status: null, account: null, p: null });
    return (
      <Empty title={t().noMatch} text={t().noMatchText}>
        <ClearFilters onClick={clear} />
      </Empty>
    );
  }
  return (
    <Empty title={t().empty} text={t().emptyText}>
      <Button kind="main" icon="plus" onClick={onAdd}>
        {t().add}
      </Button>
    </Empty>
  );
}
