// Prices: own ones and those of the catalogue, what the published list would change, and many at
// once.
import { may } from "../../core/session.ts";
import { isMaking, query, setMaking, setQuery } from "../../core/place.ts";
import { Button } from "../../kit/button.tsx";
import { Segments } from "../../kit/tabs.tsx";
import { titleOf } from "../titles.ts";
import { Screen } from "../../shell/screen.tsx";
import { EditPrice } from "./edit.tsx";
import { PriceFile } from "./file.tsx";
import { PriceList } from "./list.tsx";
import { SyncPrices } from "./sync.tsx";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  const views = [
    ["prices", words.prices],
    ...(may("prices.write")
      ? ([
          ["sync", words.sync],
          ["file", words.file],
        ] as const)
      : []),
  ] as const;
  const view = views.find(([name]) => name === query.value.get("view"))?.[0] ?? "prices";
  const choose = (next: typeof view) => setQuery({ view: next === "prices" ? null : next }, true);
  const tools = may("prices.write") && (
    <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
      {words.set}
    </Button>
  );
  return (
    <Screen title={titleOf("prices")} tools={tools}>
      {may("prices.write") && (
        <div>
          <Segments label={words.views} value={view} options={views} onChange={choose} />
        </div>
      )}
      {view === "prices" && <PriceList />}
      {view === "sync" && <SyncPrices />}
      {view === "file" && <PriceFile />}
      {isMaking() && may("prices.write") && (
        <EditPrice model="" view={null} onClose={() => setMaking(false)} />
      )}
    </Screen>
  );
}
