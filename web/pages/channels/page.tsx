// Channels: the vendors behind the gateway, where a request would go, and what it would become.
import { may } from "../../core/session.ts";
import { isMaking, query, setMaking, setQuery } from "../../core/place.ts";
import { Button } from "../../kit/button.tsx";
import { later } from "../../kit/later.tsx";
import { Segments } from "../../kit/tabs.tsx";
import { titleOf } from "../titles.ts";
import { Screen } from "../../shell/screen.tsx";
import { ChannelList } from "./list.tsx";
import { t } from "./words.ts";

const AddChannel = later(async () => (await import("./edit.tsx")).AddChannel);
const Conversion = later(async () => (await import("./convert.tsx")).Conversion);
const Preview = later(async () => (await import("./route.tsx")).Preview);

export function Page() {
  const words = t();
  const views = [
    ["list", words.list],
    ["route", words.route],
    ["convert", words.convert],
  ] as const;
  const view = views.find(([name]) => name === query.value.get("view"))?.[0] ?? "list";
  const choose = (next: typeof view) => setQuery({ view: next === "list" ? null : next }, true);
  const add = may("channels.write") && (
    <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
      {words.addChannel}
    </Button>
  );
  return (
    <Screen title={titleOf("channels")} tools={add}>
      <div>
        <Segments label={words.views} value={view} options={views} onChange={choose} />
      </div>
      {view === "list" && <ChannelList onAdd={() => setMaking(true)} />}
      {view === "route" && <Preview />}
      {view === "convert" && <Conversion />}
      {isMaking() && <AddChannel onClose={() => setMaking(false)} />}
    </Screen>
  );
}
