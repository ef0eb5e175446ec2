// The models that a vendor names, to choose from.
import { useState } from "preact/hooks";
import type { DiscoveredModel, Discovery } from "../../../src/admin/contract.ts";
import { readNames } from "../../core/amounts.ts";
import { useAction } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { compact } from "../../core/format.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { TextField } from "../../kit/field.tsx";
import type { Forming } from "../../kit/form.tsx";
import { t } from "./form-words.ts";

interface FetchOptions {
  forming: Forming;
  /** A channel by its id, or one that is not there yet by its fields. */
  bodyOf(): BodyOf<"POST /api/channel/discover">;
}

export function FetchModels({ forming, bodyOf }: FetchOptions) {
  const [discovery, setDiscovery] = useState<Discovery | null>(null);
  const search = useAction(async () => {
    setDiscovery(await send("POST /api/channel/discover", { body: bodyOf() }));
  });
  return (
    <div class="stack">
      <div>
        <Button icon="download" isBusy={search.isBusy} onClick={() => void search.run()}>
          {t().fetch}
        </Button>
      </div>
      <Refusal error={search.error} />
      {discovery && <Choose {...{ discovery, forming }} />}
    </div>
  );
}

function Choose({ discovery, forming }: { discovery: Discovery; forming: Forming }) {
  const [text, setText] = useState("");
  const words = t();
  const { models, source } = discovery;
  const shown = models.filter(({ id }) => id.toLowerCase().includes(text.toLowerCase()));
  const chosen = new Set(readNames(String(forming.draft["models"])));
  const write = (names: Iterable<string>) => forming.set({ models: [...names].join("\n") });
  const all = () => write(new Set([...chosen, ...shown.map(({ id }) => id)]));
  const none = () => write([...chosen].filter((name) => !shown.some(({ id }) => id === name)));
  const toggle = (id: string) => {
    if (!chosen.delete(id)) chosen.add(id);
    write(chosen);
  };
  return (
    <fieldset class="discovered stack">
      <legend>
        {source === "vendor"
          ? words.fetchedVendor(models.length)
          : words.fetchedList(models.length)}
      </legend>
      <div class="row">
        <TextField label={words.filter} value={text} onInput={setText} />
        <span class="push row">
          <Button isSmall onClick={all}>
            {words.all}
          </Button>
          <Button isSmall onClick={none}>
            {words.none}
          </Button>
        </span>
      </div>
      <div class="choices" tabIndex={0} role="group" aria-label={words.models}>
        {shown.map((model) => (
          <Choice
            key={model.id}
            model={model}
            isOn={chosen.has(model.id)}
            onChange={() => toggle(model.id)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface ChoiceOptions {
  model: DiscoveredModel;
  isOn: boolean;
  onChange(): void;
}

function Choice({ model, isOn, onChange }: ChoiceOptions) {
  const { id, context_tokens: tokens, is_priced: isPriced } = model;
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={onChange} />
      <span class="mono cut">{id}</span>
      <span class="push row faint">
        {tokens !== null && t().tokensOf(compact(tokens))}
        {!isPriced && <Badge tone="warn">{t().unpriced}</Badge>}
      </span>
    </label>
  );
}
