// Route of a request now: the channels in the order in which they would be asked, with their shares
// by weight, which can be tried out and then saved, and why others would not be asked.
import { useEffect, useState } from "preact/hooks";
import type { RoutePreview } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { query, setQuery } from "../../core/place.ts";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { Select, TextField } from "../../kit/field.tsx";
import { Card } from "../../kit/figures.tsx";
import { later } from "../../kit/later.tsx";
import { showToast } from "../../kit/toast.tsx";
import { useGroups } from "./groups.ts";
import type { Weights } from "./candidates.tsx";
import { useKinds } from "./kinds.ts";
import { t } from "./tool-words.ts";

const Candidates = later(async () => (await import("./candidates.tsx")).Candidates);
const Others = later(async () => (await import("./candidates.tsx")).Others);

const pauseMs = 250;

export function Preview() {
  const [preview, setPreview] = useState<RoutePreview | null>(null);
  const [weights, setWeights] = useState<Weights>({});
  const [model, group, key, format, conversation] = [
    "model",
    "group",
    "key",
    "format",
    "conversation",
  ].map((name) => query.value.get(name) ?? "");
  const body = {
    model,
    ...(key ? { key } : { group: group || "default" }),
    ...(format && { format }),
    ...(key && conversation && { conversation }),
    ...(Object.keys(weights).length > 0 && { weights }),
  };
  const text = JSON.stringify(body);
  const ask = useAction(async () => {
    setPreview(await send("POST /api/route", { body: JSON.parse(text) }));
  });
  useEffect(() => {
    if (!model) return setPreview(null);
    const timer = setTimeout(() => void ask.run(), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <>
      <div class="bar">
        <p class="quiet">{t().previewHint}</p>
        <span class="push">
          <CurlButton path="/api/route" method="POST" body={body} />
        </span>
      </div>
      <Question />
      <Refusal error={ask.error} />
      {!model && (
        <Card>
          <Empty title={t().chooseModel} text={t().chooseModelText} />
        </Card>
      )}
      {preview && (
        <Answer preview={preview} weights={weights} onWeights={(next) => setWeights(next)} />
      )}
    </>
  );
}

/** The question stands in the address. */
function Question() {
  const words = t();
  const groups = useGroups();
  const [model, group, key, format, conversation] = [
    "model",
    "group",
    "key",
    "format",
    "conversation",
  ].map((name) => query.value.get(name) ?? "");
  const formats = (useKinds()?.client_formats ?? []).map((name) => [name, name] as const);
  const names = groups.includes("default") ? groups : ["default", ...groups];
  return (
    <div class="pair">
      <TextField
        label={words.model}
        value={model ?? ""}
        onInput={(next) => setQuery({ model: next })}
        isMono
        hasFocus
      />
      <Select
        label={words.group}
        value={group || "default"}
        options={names.map((name) => [name, name] as const)}
        onChange={(next) => setQuery({ group: next })}
      />
      <TextField
        label={words.key}
        hint={words.keyHint}
        value={key ?? ""}
        onInput={(next) => setQuery({ key: next })}
        isMono
      />
      {key && (
        <TextField
          label={words.conversation}
          hint={words.conversationHint}
          value={conversation ?? ""}
          onInput={(next) => setQuery({ conversation: next })}
          isMono
        />
      )}
      <Select
        label={words.format}
        value={format || (formats[0]?.[0] ?? "")}
        options={formats}
        onChange={(next) => setQuery({ format: next })}
      />
    </div>
  );
}

interface AnswerOptions {
  preview: RoutePreview;
  weights: Weights;
  onWeights(weights: Weights): void;
}

function Answer({ preview, weights, onWeights }: AnswerOptions) {
  const words = t();
  const tried = Object.entries(weights);
  const save = useAction(async () => {
    for (const [id, weight] of tried)
      await send("PATCH /api/channel/{id}", { id, body: { weight } });
    refresh("/api/channel");
    showToast(t().savedWeights);
    onWeights({});
  });
  const tools = tried.length > 0 && (
    <>
      <Button isSmall onClick={() => onWeights({})}>
        {words.resetWeights}
      </Button>
      <Button isSmall kind="main" isBusy={save.isBusy} onClick={() => void save.run()}>
        {words.saveWeights}
      </Button>
    </>
  );
  return (
    <>
      {preview.refusal && (
        <div class="notice bad">
          <span class="strong">{words.refusal}</span> {preview.refusal.message}
          <span class="mono">{preview.refusal.code}</span>
        </div>
      )}
      <Refusal error={save.error} />
      <Card
        title={words.candidates}
        note={words.attempts(preview.attempts_max)}
        tools={tools}
        isFlush
      >
        <Candidates {...{ preview, weights, onWeights }} />
      </Card>
      {preview.affinity && <AffinityNote affinity={preview.affinity} />}
      {preview.others.length > 0 && (
        <Card title={words.others} isFlush>
          <Others preview={preview} />
        </Card>
      )}
    </>
  );
}

function AffinityNote({ affinity }: { affinity: NonNullable<RoutePreview["affinity"]> }) {
  const words = t();
  const { state, placed } = affinity;
  return (
    <p class="notice">
      <span class="strong">{words.affinity}</span> {words.affinityStates[state]}
      {placed && <span class="mono">{words.placedBy(placed.by, placed.key)}</span>}
    </p>
  );
}
