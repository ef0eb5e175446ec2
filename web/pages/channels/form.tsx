// The fields of a channel, for a new one and for one that is there.
import type { ChannelPreset } from "../../../src/admin/contract.ts";
import { useGet } from "../../core/api.ts";
import type { ApiError } from "../../core/api.ts";
import { useState } from "preact/hooks";
import { Check, faultOf, Select, TextArea, TextField } from "../../kit/field.tsx";
import type { ChannelForm } from "./draft.ts";
import { t } from "./form-words.ts";

const types = [
  "openai",
  "anthropic",
  "google",
  "ark",
  "minimax",
  "kling",
  "midjourney",
  "gateway",
].map((name) => [name, name] as const);
const formats = ["chat", "responses", "messages", "content"].map((name) => [name, name] as const);

interface FieldsOptions {
  form: ChannelForm;
  error: ApiError | null;
}

/** The vendors that are known by name; the first choice is one that is not. */
export function VendorField({ form }: { form: ChannelForm }) {
  const [name, setName] = useState("");
  const { data } = useGet<{ items: ChannelPreset[] }>("/api/channel/presets");
  const presets = data?.items ?? [];
  const choose = (next: string) => {
    setName(next);
    const preset = presets.find((one) => one.name === next);
    if (preset) form.apply(preset);
  };
  return (
    <Select
      label={t().vendor}
      hint={t().vendorHint}
      value={name}
      options={[["", t().other], ...presets.map((one) => [one.name, one.title] as const)]}
      onChange={choose}
    />
  );
}

export function MainFields({
  form: { draft, set },
  error,
  isNew,
}: FieldsOptions & { isNew: boolean }) {
  const words = t();
  return (
    <>
      <div class="pair">
        <TextField
          label={words.name}
          value={draft.name}
          onInput={set("name")}
          fault={faultOf(error, "name")}
          isRequired
        />
        <Select
          label={words.type}
          hint={words.typeHint}
          value={draft.type}
          options={types}
          onChange={set("type")}
        />
      </div>
      <TextField
        label={words.address}
        hint={isNew ? words.addressHint : words.addressAgain}
        value={draft.address}
        onInput={set("address")}
        fault={faultOf(error, "base_url")}
        isMono
        isRequired
      />
      <TextArea
        label={words.keys}
        hint={isNew ? words.keysHint : words.keysKept}
        rows={2}
        isMono
        value={draft.keys}
        onInput={set("keys")}
        fault={faultOf(error, "key", "keys")}
      />
    </>
  );
}

export function ModelsField({ form: { draft, set }, error }: FieldsOptions) {
  return (
    <TextArea
      label={t().models}
      hint={t().modelsHint}
      rows={4}
      isMono
      value={draft.models}
      onInput={set("models")}
      fault={faultOf(error, "models")}
    />
  );
}

export function MoreFields({ form, error, isNew }: FieldsOptions & { isNew: boolean }) {
  const words = t();
  const { draft, set, turn } = form;
  return (
    <details open={!isNew}>
      <summary>{words.more}</summary>
      <div class="stack">
        <Routing {...{ form, error }} />
        <TextArea
          label={words.mapping}
          hint={words.mappingHint}
          rows={3}
          isMono
          value={draft.mapping}
          onInput={set("mapping")}
          fault={faultOf(error, "model_mapping")}
        />
        <Body {...{ form, error }} />
        <Way {...{ form, error }} />
        <Check
          label={words.allowPrivate}
          hint={words.allowPrivateHint}
          isOn={draft.allowPrivate}
          onChange={turn("allowPrivate")}
        />
        <Check
          label={words.dropStore}
          hint={words.dropStoreHint}
          isOn={draft.dropStore}
          onChange={turn("dropStore")}
        />
        <Check label={words.http2} isOn={draft.http2} onChange={turn("http2")} />
      </div>
    </details>
  );
}

function Routing({ form: { draft, set }, error }: FieldsOptions) {
  const words = t();
  return (
    <>
      <TextField
        label={words.groups}
        hint={words.groupsHint}
        value={draft.groups}
        onInput={set("groups")}
        fault={faultOf(error, "groups")}
      />
      <div class="pair">
        <TextField
          label={words.priority}
          hint={words.priorityHint}
          value={draft.priority}
          onInput={set("priority")}
          fault={faultOf(error, "priority") && words.wrongNumber}
        />
        <TextField
          label={words.weight}
          hint={words.weightHint}
          value={draft.weight}
          onInput={set("weight")}
          fault={faultOf(error, "weight") && words.wrongNumber}
        />
        <TextField
          label={words.concurrency}
          inputMode="numeric"
          value={draft.concurrency}
          onInput={set("concurrency")}
          fault={faultOf(error, "concurrency") && words.wrongNumber}
        />
      </div>
    </>
  );
}

function Body({ form: { draft, set }, error }: FieldsOptions) {
  const words = t();
  return (
    <>
      <Select
        label={words.format}
        value={draft.format}
        options={[["", words.byType], ...formats]}
        onChange={set("format")}
      />
      <TextArea
        label={words.set}
        hint={words.setHint}
        rows={3}
        isMono
        value={draft.set}
        onInput={set("set")}
        fault={error?.param?.startsWith("parameters") ? words.wrongJson : null}
      />
      <TextField
        label={words.remove}
        hint={words.removeHint}
        isMono
        value={draft.remove}
        onInput={set("remove")}
      />
      <TextField
        label={words.hiddenPrompt}
        hint={words.hiddenPromptHint}
        inputMode="numeric"
        value={draft.hiddenPrompt}
        onInput={set("hiddenPrompt")}
        fault={faultOf(error, "hidden_prompt_tokens") && words.wrongNumber}
      />
      <TextArea
        label={words.headers}
        hint={words.headersHint}
        rows={2}
        isMono
        value={draft.headers}
        onInput={set("headers")}
        fault={faultOf(error, "headers")}
      />
    </>
  );
}

function Way({ form: { draft, set }, error }: FieldsOptions) {
  const words = t();
  const waits = [
    ["firstByte", "first_byte_ms"],
    ["stall", "stall_ms"],
    ["total", "total_ms"],
  ] as const;
  return (
    <>
      <TextField
        label={words.proxy}
        hint={words.proxyHint}
        isMono
        value={draft.proxy}
        onInput={set("proxy")}
        fault={faultOf(error, "proxy")}
      />
      <div class="pair">
        {waits.map(([name, param]) => (
          <TextField
            key={name}
            label={words[name]}
            inputMode="numeric"
            value={draft[name]}
            onInput={set(name)}
            fault={faultOf(error, param) && words.wrongNumber}
          />
        ))}
      </div>
    </>
  );
}
