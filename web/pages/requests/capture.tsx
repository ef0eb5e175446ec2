// Has the next few requests captured: of a key, of a model, or on a channel.
import { useState } from "preact/hooks";
import { readWhole } from "../../core/amounts.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, useAnswer } from "../../core/control.ts";
import { useEvery } from "../../core/lists/every.ts";
import { lately } from "../../core/format.ts";
import { query } from "../../core/place.ts";
import { may, mayCapture } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { FormDialog } from "../../kit/dialog.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { faultOf, Select, TextField } from "../../kit/field.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./content-words.ts";

export function CaptureButton() {
  if (!mayCapture()) return null;
  return <OpenCapture />;
}

function OpenCapture() {
  const [isOpen, setOpen] = useState(false);
  const { value } = query;
  return (
    <>
      <Button icon="eye" onClick={() => setOpen(true)}>
        {t().capture}
      </Button>
      {isOpen && (
        <Capture
          keyId={value.get("key")}
          model={value.get("model")}
          channelId={value.get("channel")}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface CaptureOptions {
  keyId: string | null;
  model?: string | null;
  channelId?: string | null;
  onClose(): void;
}

export function Capture({ keyId, model = null, channelId = null, onClose }: CaptureOptions) {
  const words = t();
  const [key, setKey] = useState(keyId ?? "");
  const [ofModel, setModel] = useState(model ?? "");
  const [channel, setChannel] = useState(channelId ?? "");
  const [requests, setRequests] = useState("1");
  const begin = useAction(async () => {
    const body = {
      ...(key !== "" && { key }),
      ...(ofModel !== "" && { model: ofModel }),
      ...(channel !== "" && { channel }),
      requests: readWhole(requests) ?? 0,
    };
    const made = await send("POST /api/capture", { body });
    refresh("/api/capture");
    showToast(words.started(made.requests));
    onClose();
  });
  const { error } = begin;
  return (
    <FormDialog title={words.captureTitle} submit={words.capture} action={begin} onClose={onClose}>
      <p class="quiet wrap">{words.captureText}</p>
      <KeyChoice value={key} onChange={setKey} fault={faultOf(error, "key")} />
      <TextField
        label={words.model}
        placeholder={words.anyModel}
        value={ofModel}
        onInput={setModel}
        fault={faultOf(error, "model")}
        isMono
      />
      {may("contents.capture") && <ChannelChoice value={channel} onChange={setChannel} />}
      <TextField
        label={words.requests}
        value={requests}
        onInput={setRequests}
        inputMode="numeric"
        fault={faultOf(error, "requests")}
      />
      <Kept />
    </FormDialog>
  );
}

/** Captures that run or are over: ending one also deletes what it kept. */
function Kept() {
  const words = t();
  const { data } = useAnswer("GET /api/capture");
  const remove = useAction(async (id: string) => {
    await send("DELETE /api/capture/{id}", { id });
    refresh("/api/capture", "/api/log");
  });
  if (!data || data.items.length === 0) return null;
  return (
    <section class="stack">
      <h3>{words.kept}</h3>
      {data.items.map(({ id, key_name, model, channel, account, taken, requests, ...one }) => (
        <div key={id} class="row">
          <span class="cut">
            {key_name !== null && account !== null
              ? words.keyOf(key_name, account)
              : (key_name ?? model ?? channel ?? account ?? words.ofEveryone)}
          </span>
          <span class="faint number">{words.takenOf(taken, requests)}</span>
          <span class="faint number push">{lately(one.created_at)}</span>
          {one.may_end && (
            <Button
              kind="plain"
              isSmall
              icon="trash"
              label={words.remove}
              onClick={() => void remove.run(id)}
            />
          )}
        </div>
      ))}
      <Refusal error={remove.error} />
    </section>
  );
}

interface ChoiceOptions {
  value: string;
  onChange(value: string): void;
  fault?: string | null;
}

/** More are found by how their names begin. */
const keysMax = 100;

function KeyChoice({ value, onChange, fault }: ChoiceOptions) {
  const words = t();
  const [prefix, setPrefix] = useState<string | null>(null);
  const { data } = useAnswer("GET /api/token", { query: { q: prefix ?? "", page_size: keysMax } });
  const isSearched = prefix !== null || (data?.total ?? 0) > keysMax;
  const keys = (data?.items ?? []).map(({ id, name, account }): [string, string] => [
    id,
    may("keys.read") ? words.keyOf(name, account) : name,
  ]);
  // The chosen one may be outside of what is searched.
  if (value !== "" && !keys.some(([id]) => id === value)) keys.unshift([value, value]);
  const options: [string, string][] = [["", words.anyKey], ...keys];
  const select = <Select label={words.key} {...{ value, onChange, fault, options }} />;
  if (!isSearched) return select;
  return (
    <div class="pair">
      <TextField label={words.searchKey} value={prefix ?? ""} onInput={setPrefix} type="search" />
      {select}
    </div>
  );
}

function ChannelChoice({ value, onChange }: ChoiceOptions) {
  const known = useEvery("GET /api/channel").rows.map(({ id, name }): [string, string] => [
    id,
    name,
  ]);
  // The filter of the page may have a name.
  const chosen = known.find(([id, name]) => id === value || name === value)?.[0] ?? value;
  const options: [string, string][] = [["", t().anyChannel], ...known];
  return <Select label={t().channel} value={chosen} {...{ onChange, options }} />;
}
