// Videos and images: what vendors make while nobody waits. Admins see everyone's, others their own.
import { query, setQuery } from "../../core/place.ts";
import { may, scopedAt } from "../../core/session.ts";
import { Card } from "../../kit/figures.tsx";
import { Segments } from "../../kit/tabs.tsx";
import { ListPage } from "../../shell/list-page.tsx";
import { columnsOf } from "./columns.tsx";
import { TaskDrawer } from "./detail.tsx";
import { Gallery } from "./gallery.tsx";
import { isRunning, stateName, states } from "./parts.tsx";
import { t } from "./words.ts";

export function Page() {
  const words = t();
  const isList = query.value.get("view") === "list";
  const kinds = { video: words.videos, image: words.images };
  const stateNames = Object.fromEntries(states.map((one) => [one, stateName(one)]));
  return (
    <ListPage
      name="media"
      at={scopedAt("GET /api/task", "GET /api/task/self")}
      words={words}
      pageSize={24}
      everyMs={4000}
      moves={isRunning}
      filters={[
        { name: "model", label: words.searchModel },
        { name: "kind", label: words.kind, all: words.anyKind, choices: kinds },
        { name: "state", label: words.state, all: words.anyState, choices: stateNames },
        may("usage.read") && { name: "account", label: words.account, isLinked: "chip" },
      ]}
      columns={columnsOf()}
      show={({ table, loaded, empty }) =>
        isList ? <Card isFlush>{table}</Card> : <Gallery {...{ loaded, empty }} />
      }
      open={(opened) => <TaskDrawer key={opened.id} {...opened} />}
      tools={() => (
        <Segments
          label={words.view}
          value={isList ? "list" : "gallery"}
          options={[
            ["gallery", words.gallery],
            ["list", words.list],
          ]}
          onChange={(next) => setQuery({ view: next === "list" ? next : null })}
        />
      )}
    />
  );
}
