// A vendor: chosen by name, its key tried before it is saved, its models taken from itself.
import { useState } from "preact/hooks";
import type { ChannelPreset, ChannelTest } from "../../../src/admin/contract.ts";
import { readNames } from "../../core/amounts.ts";
import { refresh, useAction, type ApiError } from "../../core/api.ts";
import { send, useAnswer, type BodyOf } from "../../core/control.ts";
import { markStep } from "../../core/first-steps.ts";
import { count, millis } from "../../core/format.ts";
import { Button } from "../../kit/button.tsx";
import { Skeleton } from "../../kit/empty.tsx";
import { Failure, Refusal } from "../../kit/failure.tsx";
import { Check, faultOf, PasswordField, Select, TextArea, TextField } from "../../kit/field.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

export function AddVendor({ onDone }: { onDone(): void }) {
  const words = t();
  const presets = useAnswer("GET /api/channel/presets");
  const channels = useAnswer("GET /api/channel", { query: { page_size: 1 } });
  const total = channels.data?.total ?? 0;
  const goOn = () => {
    markStep("vendor");
    onDone();
  };
  return (
    <>
      <p class="quiet reading">{words.vendorText}</p>
      {total > 0 && <p class="notice good">{words.hasVendor(count(total))}</p>}
      {channels.data && total === 0 && (
        <div>
          <Button onClick={goOn}>{words.sandbox}</Button>
        </div>
      )}
      {presets.error && <Failure error={presets.error} onRetry={presets.reload} />}
      {presets.isPending && !presets.data && <Skeleton lines={5} />}
      {presets.data && <VendorForm presets={presets.data.items} onSaved={goOn} />}
    </>
  );
}

const modelsMax = 100;

function useVendor(presets: readonly ChannelPreset[]) {
  const [choice, choose] = useState(presets[0]?.name ?? "");
  const preset = presets.find((one) => one.name === choice);
  const [name, setName] = useState("");
  const [type, setType] = useState("openai");
  const [address, setAddress] = useState(preset?.base_url ?? "");
  const [key, setKey] = useState("");
  const [models, setModels] = useState("");
  const [isPrivate, setPrivate] = useState(preset?.allow_private ?? false);
  const chooseVendor = (next: string) => {
    const chosen = presets.find((one) => one.name === next);
    choose(next);
    setAddress(chosen?.base_url ?? "");
    setPrivate(chosen?.allow_private ?? false);
    setModels("");
  };
  // Type and format are those of a preset, as the gateway names them.
  const fields = () =>
    ({
      name: preset?.name ?? name.trim(),
      type: preset?.type ?? type,
      ...(preset?.format && { format: preset.format }),
      base_url: address.trim(),
      key: key.trim(),
      ...(isPrivate && { allow_private: true }),
      ...(preset?.parameters.remove && { parameters: preset.parameters }),
      models: readNames(models),
    }) as BodyOf<"POST /api/channel">;
  return {
    choice,
    choose: chooseVendor,
    name,
    setName,
    type,
    setType,
    address,
    setAddress,
    isPrivate,
    setPrivate,
    key,
    setKey,
    models,
    setModels,
    fields,
  };
}

type Verdict = { isGood: boolean; text: string } | null;

function VendorForm({ presets, onSaved }: { presets: readonly ChannelPreset[]; onSaved(): void }) {
  const words = t();
  const form = useVendor(presets);
  const [verdict, setVerdict] = useState<Verdict>(null);
  const look = useAction(async () => {
    const { models: _models, name: _name, ...rest } = form.fields();
    const { models } = await send("POST /api/channel/discover", { body: rest });
    const priced = models.filter(({ is_priced }) => is_priced);
    const taken = (priced.length > 0 ? priced : models).slice(0, modelsMax);
    form.setModels(taken.map(({ id }) => id).join("\n"));
    setVerdict({ isGood: true, text: words.foundModels(count(taken.length)) });
  });
  const test = useAction(async () => {
    setVerdict(verdictOf(await send("POST /api/channel/test", { body: form.fields() })));
  });
  const save = useAction(async () => {
    const { name } = await send("POST /api/channel", { body: form.fields() });
    refresh("/api/channel", "/api/model");
    showToast(words.saved(name));
    onSaved();
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void save.run();
  };
  const isBusy = look.isBusy || test.isBusy || save.isBusy;
  return (
    <form class="stack narrow" onSubmit={submit}>
      <VendorFields {...{ presets, form }} error={look.error ?? test.error ?? save.error} />
      {verdict && (
        <p class={`notice wrap ${verdict.isGood ? "good" : "bad"}`} role="status">
          {verdict.text}
        </p>
      )}
      <Refusal error={look.error ?? test.error ?? save.error} />
      <div class="row wraps">
        <Button isBusy={isBusy} onClick={() => void look.run()}>
          {words.look}
        </Button>
        <Button isBusy={isBusy} onClick={() => void test.run()}>
          {words.test}
        </Button>
        <Button kind="main" type="submit" isBusy={isBusy}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}

function verdictOf({ ok, checked, latency_ms, message }: ChannelTest): Verdict {
  const words = t();
  if (!ok) return { isGood: false, text: words.fails(message) };
  const write = { answer: words.works, key: words.keyWorks, address: words.reached }[checked];
  return { isGood: true, text: write(millis(latency_ms)) };
}

interface FieldsOptions {
  presets: readonly ChannelPreset[];
  form: ReturnType<typeof useVendor>;
  error: ApiError | null;
}

function VendorFields({ presets, form, error }: FieldsOptions) {
  const words = t();
  return (
    <>
      <Select<string>
        label={words.vendor}
        value={form.choice}
        options={[...presets.map(({ name, title }) => [name, title] as const), ["", words.other]]}
        onChange={form.choose}
      />
      {form.choice === "" && <OtherVendor {...{ form, error }} />}
      <TextField
        label={words.baseUrl}
        isMono
        isRequired
        value={form.address}
        onInput={form.setAddress}
        fault={faultOf(error, "base_url")}
      />
      {(form.isPrivate || faultOf(error, "base_url") !== null) && (
        <Check label={words.allowPrivate} isOn={form.isPrivate} onChange={form.setPrivate} />
      )}
      <PasswordField
        label={words.vendorKey}
        hint={words.vendorKeyHint}
        value={form.key}
        onInput={form.setKey}
        autoComplete="off"
        isRequired
        fault={faultOf(error, "key", "keys")}
      />
      <TextArea
        label={words.models}
        hint={words.modelsHint}
        rows={4}
        isMono
        value={form.models}
        onInput={form.setModels}
        fault={faultOf(error, "models")}
      />
    </>
  );
}

/** A vendor that speaks one of the protocols, at an address of one's own. */
function OtherVendor({ form, error }: Pick<FieldsOptions, "form" | "error">) {
  const words = t();
  const { data } = useAnswer("GET /api/vendor");
  return (
    <div class="pair">
      <TextField
        label={words.name}
        value={form.name}
        onInput={form.setName}
        isRequired
        fault={faultOf(error, "name")}
      />
      <Select<string>
        label={words.type}
        value={form.type}
        options={(data?.types ?? [form.type]).map((one) => [one, one] as const)}
        onChange={form.setType}
      />
    </div>
  );
}
