// Bytes on the wire, word for word: the request, the answer, and the request as code.
import { useState } from "preact/hooks";
import type { Call } from "../../core/text/formats.ts";
import { Code } from "../../kit/code.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Tabs } from "../../kit/rest/tabs.tsx";
import { mediaCallOf, shorten, textCallOf } from "./calls.ts";
import { clients, codeOf, type Client } from "./code.ts";
import {
  chosenModels,
  draft,
  kindOf,
  pictures,
  pieces,
  settings,
  turns,
  type View,
} from "./state.ts";
import { t } from "./words.ts";

const hello = "Hello";

/** Call that would be sent now, with the text in the box. */
function nextCall(model: string): Call {
  const { path, body } = wholeCall(model);
  // A picture word for word is not read by anyone.
  return { path, body: JSON.parse(JSON.stringify(body, shorten)) as object };
}

function wholeCall(model: string): Call {
  const kind = kindOf();
  const prompt = draft.value.trim() || hello;
  const turn = { question: prompt, pictures: pictures.value, strands: [] };
  if (kind === "text") return textCallOf(settings.value, model, [...turns.value, turn]);
  return mediaCallOf(kind, settings.value, { model, prompt });
}

export function Behind({ view }: { view: Exclude<View, "result"> }) {
  if (view === "code") return <AsCode />;
  return view === "request" ? <Requests /> : <Responses />;
}

function Requests() {
  return (
    <div class="stack">
      {chosenModels().map((model) => {
        const { path, body } = nextCall(model);
        return (
          <section key={model} class="stack" aria-label={model}>
            <h2 class="wrap">{`POST ${path}`}</h2>
            <Code text={JSON.stringify(body, null, 2)} wraps />
          </section>
        );
      })}
    </div>
  );
}

function Responses() {
  const words = t();
  const kind = kindOf();
  const latest =
    kind === "text"
      ? lastReplies()
      : pieces.value.filter((piece) => piece.kind === kind).slice(0, 1);
  if (latest.length === 0) return <Empty title={words.noRequest} text={words.noRequestText} />;
  return (
    <div class="stack">
      {latest.map(({ model, raw, facts }) => {
        const { status, requestId, error } = facts.value;
        return (
          <section key={model} class="stack" aria-label={model}>
            <h2 class="row wraps">
              {model}
              {status !== null && <span class="faint">{words.status(status)}</span>}
              <span class="mono faint wrap">{requestId}</span>
            </h2>
            <Code text={raw.value || (error?.message ?? "")} wraps />
          </section>
        );
      })}
    </div>
  );
}

/** The last one of each model. */
function lastReplies() {
  return (turns.value.at(-1)?.strands ?? []).flatMap(({ model, replies }) => {
    const last = replies.value.at(-1);
    return last ? [{ model, ...last }] : [];
  });
}

function AsCode() {
  const [client, setClient] = useState<Client>("curl");
  const kind = kindOf();
  const offered = kind === "text" ? clients : clients.filter(([name]) => name !== "ai");
  const shown = offered.some(([name]) => name === client) ? client : "curl";
  const what = kind === "text" ? settings.value.format : kind;
  const [model = ""] = chosenModels();
  return (
    <Tabs label={t().client} value={shown} options={offered} onChange={setClient}>
      <Code text={codeOf(shown, what, nextCall(model))} />
    </Tabs>
  );
}
