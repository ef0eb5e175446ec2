// Choice of the models, and the settings they are asked with.
import { useId, useState } from "preact/hooks";
import { readWhole } from "../../core/amounts.ts";
import { may } from "../../core/session.ts";
import { textFormats, type TextFormat } from "../../core/text/formats.ts";
import { Button } from "../../kit/button.tsx";
import { Field, Select, TextArea, TextField } from "../../kit/field.tsx";
import { later } from "../../kit/later.tsx";
import { readTools } from "../../core/text/tools.ts";
import { readMore, readTemperature } from "./calls.ts";
import { Presets } from "./presets.tsx";
import { change, chooseModels, chosenModels, kindOf, modelsMax, settings } from "./state.ts";
import { t } from "./words.ts";

const MediaForm = later(async () => (await import("./media-form.tsx")).MediaForm);

export function Knobs({ choices }: { choices: readonly string[] }) {
  const words = t();
  const kind = kindOf();
  const { more } = settings.value;
  const [model = ""] = chosenModels();
  return (
    <div class="knobs">
      {kind === "text" && (
        <div>
          <Presets />
        </div>
      )}
      {kind === "text" ? <ManyModels choices={choices} /> : <OneModel choices={choices} />}
      {kind === "text" ? <TextKnobs /> : <MediaForm model={model} />}
      <TextArea
        label={words.more}
        hint={words.moreHint}
        rows={2}
        isMono
        value={more}
        onInput={(text) => change({ more: text })}
        fault={readMore(more) === null ? words.wrongJson : null}
      />
      {may("channels.read") && <Rehearsal />}
    </div>
  );
}

function OneModel({ choices }: { choices: readonly string[] }) {
  const [model = ""] = chosenModels();
  const all = choices.includes(model) ? choices : [model, ...choices];
  return (
    <Select
      label={t().model}
      value={model}
      options={all.map((one) => [one, one] as const)}
      onChange={(next) => chooseModels([next])}
    />
  );
}

function ManyModels({ choices }: { choices: readonly string[] }) {
  const words = t();
  const models = chosenModels();
  const without = (name: string) => models.filter((one) => one !== name);
  return (
    <fieldset class="chosen">
      <legend>{words.models}</legend>
      {models.map((name, at) => (
        <p key={name} class="picked">
          <Replace {...{ name, at }} choices={choices.filter((one) => !models.includes(one))} />
          {models.length > 1 && (
            <Button
              kind="plain"
              isSmall
              icon="close"
              label={words.drop(name)}
              onClick={() => chooseModels(without(name))}
            />
          )}
        </p>
      ))}
      {models.length < modelsMax && (
        <AddModel choices={choices.filter((name) => !models.includes(name))} />
      )}
    </fieldset>
  );
}

/** Model in its place: another one takes it at once. */
function Replace({ name, at, choices }: { name: string; at: number; choices: readonly string[] }) {
  return (
    <select
      class="cut"
      aria-label={t().modelAt(at + 1)}
      value={name}
      onChange={(event) => chooseModels(chosenModels().with(at, event.currentTarget.value))}
    >
      {[name, ...choices].map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  );
}

/** Names that are in no list can be typed: those of the sandbox beside real channels. */
function AddModel({ choices }: { choices: readonly string[] }) {
  const [text, setText] = useState("");
  const list = useId();
  const add = (name: string) => {
    setText("");
    const models = chosenModels();
    if (name !== "" && !models.includes(name)) chooseModels([...models, name]);
  };
  const type = (name: string) => (choices.includes(name) ? add(name) : setText(name));
  return (
    <>
      <input
        class="input"
        list={list}
        aria-label={t().add}
        placeholder={t().addHint}
        spellcheck={false}
        value={text}
        onInput={(event) => {
          // Typing a longer name passes through shorter ones; a choice comes whole.
          const isChosen =
            !(event instanceof InputEvent) || event.inputType === "insertReplacementText";
          if (isChosen) type(event.currentTarget.value);
          else setText(event.currentTarget.value);
        }}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && add(text.trim())}
      />
      <datalist id={list}>
        {choices.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

function TextKnobs() {
  const words = t();
  const { format, system, temperature, tokensMax, tools } = settings.value;
  return (
    <>
      <Field label={words.system}>
        {(wiring) => (
          <textarea
            {...wiring}
            class="input"
            rows={3}
            placeholder={words.systemHint}
            value={system}
            onInput={(event) => change({ system: event.currentTarget.value })}
          />
        )}
      </Field>
      <Select<TextFormat>
        label={words.format}
        value={format}
        options={textFormats.map((one) => [one, words.formats[one]] as const)}
        onChange={(next) => change({ format: next })}
      />
      <div class="two">
        <TextField
          label={words.temperature}
          placeholder={words.byModel}
          inputMode="decimal"
          value={temperature}
          onInput={(text) => change({ temperature: text })}
          fault={readTemperature(temperature) === undefined ? words.wrongNumber : null}
        />
        <TextField
          label={words.tokensMax}
          inputMode="numeric"
          value={tokensMax}
          onInput={(text) => change({ tokensMax: text })}
          fault={readWhole(tokensMax) === undefined ? words.wrongNumber : null}
        />
      </div>
      <TextArea
        label={words.tools}
        hint={words.toolsHint}
        rows={2}
        isMono
        value={tools}
        onInput={(text) => change({ tools: text })}
        fault={readTools(tools) === null ? words.wrongTools : null}
      />
    </>
  );
}

const textRehearsals = {
  none: "",
  down: "sandbox:status=503",
  busy: "sandbox:status=429",
  slow: "sandbox:delay=2s",
  stall: "sandbox:stall",
  cut: "sandbox:cut",
  garbage: "sandbox:garbage",
  noUsage: "sandbox:no-usage",
  filter: "sandbox:filter",
  errorAfter: "sandbox:error-after=5",
} as const;
const imageRehearsals = {
  none: "",
  down: "sandbox:status=503",
  busy: "sandbox:status=429",
  slow: "sandbox:delay=2s",
  cut: "sandbox:cut",
  garbage: "sandbox:garbage",
} as const;
const videoRehearsals = {
  none: "",
  down: "sandbox:status=503",
  busy: "sandbox:status=429",
  long: "sandbox:seconds=10",
  fail: "sandbox:fail",
  filter: "sandbox:filter",
} as const;
const rehearsals = { text: textRehearsals, image: imageRehearsals, video: videoRehearsals };

function Rehearsal() {
  const words = t();
  const texts: Record<string, string> = words.rehearsals;
  const offered = Object.entries(rehearsals[kindOf()]);
  const { rehearsal } = settings.value;
  const value = offered.some(([, directive]) => directive === rehearsal) ? rehearsal : "";
  return (
    <Select<string>
      label={words.rehearse}
      hint={words.rehearseHint}
      value={value}
      options={offered.map(([name, directive]) => [directive, texts[name] ?? name] as const)}
      onChange={(next) => change({ rehearsal: next })}
    />
  );
}
