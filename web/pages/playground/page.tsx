// The playground: real requests with a key that ends with the session, each with its price and its
// trace, and the same as code.
import type { ModelView } from "../../../src/admin/contract.ts";
import { useEffect } from "preact/hooks";
import { useEvery } from "../../core/lists/every.ts";
import { query, setQuery } from "../../core/place.ts";
import { Empty, Skeleton } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { later } from "../../kit/later.tsx";
import { Segments } from "../../kit/tabs.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { Again } from "./again.tsx";
import { Composer } from "./composer.tsx";
import { Conversations } from "./conversations.tsx";
import { Knobs } from "./knobs.tsx";
import { takePreset } from "./presets.tsx";
import {
  chooseModels,
  chosenModels,
  kindOf,
  kinds,
  lastModels,
  offered,
  takeOver,
  viewOf,
  views,
} from "./state.ts";
import { Turns } from "./turns.tsx";
import { t } from "./words.ts";

const Behind = later(async () => (await import("./behind.tsx")).Behind);
const Pieces = later(async () => (await import("./pieces.tsx")).Pieces);

export function Page() {
  takeOver();
  const words = t();
  const kind = kindOf();
  const loaded = useEvery("GET /api/model", { kind });
  const choices = loaded.data && loaded.rows.filter((one) => one.kind === kind && isAsked(one));
  useEffect(() => {
    offered.value = choices ?? null;
  }, [loaded.rows.length, loaded.data, kind]);
  const models = chosenModels();
  const first = choices?.[0]?.id;
  useEffect(takePreset, []);
  useEffect(() => {
    const isFilled = query.value.has("again") || query.value.has("talk");
    if (chosenModels().length > 0 || first === undefined || isFilled) return;
    const before = lastModels().filter((name) => choices?.some(({ id }) => id === name));
    chooseModels(before.length > 0 ? before : [first]);
  }, [models.length, first, query.value.has("talk")]);
  const tools = (
    <Segments
      label={words.kind}
      value={kind}
      options={kinds.map((one) => [one, words.kinds[one]] as const)}
      onChange={(next) =>
        setQuery({ kind: next === "text" ? null : next, model: null, talk: null })
      }
    />
  );
  return (
    <Screen title={titleOf("playground")} tools={tools}>
      <Again />
      {loaded.error && !choices && <Failure error={loaded.error} onRetry={loaded.reload} />}
      {!loaded.error && !choices && <Skeleton lines={6} />}
      {choices && models.length === 0 && first === undefined && (
        <Empty title={words.noModels} text={words.noModelsText} />
      )}
      {choices && models.length > 0 && <Play choices={choices.map(({ id }) => id)} />}
    </Screen>
  );
}

function isAsked({ endpoints, reachable }: ModelView): boolean {
  return reachable && endpoints.some((one) => ["chat", "image", "video"].includes(one));
}

function Play({ choices }: { choices: readonly string[] }) {
  const words = t();
  const kind = kindOf();
  const view = viewOf();
  return (
    <div class="play">
      <details class="fold" open={innerWidth > 760 || kind !== "text"}>
        <summary class="cut">{chosenModels().join(", ")}</summary>
        <Knobs choices={choices} />
      </details>
      <section class="talk" aria-label={words.kinds[kind]}>
        <div class="row wraps talk-head">
          <Segments
            label={words.view}
            value={view}
            options={views.map((one) => [one, words.views[one]] as const)}
            onChange={(next) => setQuery({ view: next === "result" ? null : next })}
          />
          {kind === "text" && (
            <span class="push row">
              <Conversations />
            </span>
          )}
        </div>
        <div class="shown">
          {view !== "result" ? <Behind view={view} /> : kind === "text" ? <Turns /> : <Pieces />}
        </div>
        <Composer />
      </section>
    </div>
  );
}
