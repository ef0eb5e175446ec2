// Assets: media that is registered once, and named in requests as `asset://` and its id.
import { useState } from "preact/hooks";
import { query, setQuery } from "../../core/place.ts";
import { may } from "../../core/session.ts";
import { Segments } from "../../kit/tabs.tsx";
import { ListPage } from "../../shell/list-page.tsx";
import { AddAsset } from "./add.tsx";
import { columnsOf, type Shown } from "./columns.tsx";
import { AssetDrawer, DeleteAsset, type AssetList } from "./detail.tsx";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  const [removed, setRemoved] = useState<Shown | null>(null);
  const showsAll = may("usage.read") && query.value.get("whose") === "all";
  const at: AssetList = showsAll ? "GET /api/assets" : "GET /api/asset";
  return (
    <ListPage
      name="assets"
      at={at}
      words={words}
      everyMs={2000}
      moves={({ status }) => status === "processing"}
      filters={[
        { name: "kind", label: words.kind, all: words.anyKind, choices: words.kinds },
        { name: "status", label: words.status, all: words.anyStatus, choices: words.statuses },
        showsAll && { name: "account", label: words.account, isLinked: "chip" },
      ]}
      columns={columnsOf(showsAll ? null : setRemoved)}
      open={(opened) => <AssetDrawer key={opened.id} at={at} {...opened} />}
      make={{
        label: words.add,
        form: (onClose) => <AddAsset onClose={onClose} />,
        isOffered: true,
      }}
      tools={() => may("usage.read") && <Whose showsAll={showsAll} />}
    >
      {removed && <DeleteAsset asset={removed} onClose={() => setRemoved(null)} />}
    </ListPage>
  );
}

function Whose({ showsAll }: { showsAll: boolean }) {
  const words = t();
  return (
    <Segments
      label={words.whose}
      value={showsAll ? "all" : "own"}
      options={[
        ["own", words.mine],
        ["all", words.everyones],
      ]}
      onChange={(next) => setQuery({ whose: next === "all" ? next : null, account: null, p: null })}
    />
  );
}
