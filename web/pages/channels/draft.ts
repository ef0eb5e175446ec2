// A channel as a form has it, and as the API takes it.
import { useState } from "preact/hooks";
import type { ChannelPreset, ChannelView } from "../../../src/admin/contract.ts";
import { readNames, readWhole } from "../../core/amounts.ts";
import { readSigned } from "./batch.tsx";

const empty = {
  name: "",
  type: "openai",
  format: "",
  address: "",
  keys: "",
  models: "",
  groups: "default",
  priority: "0",
  weight: "1",
  concurrency: "",
  hiddenPrompt: "",
  mapping: "",
  set: "",
  remove: "",
  headers: "",
  proxy: "",
  firstByte: "",
  stall: "",
  total: "",
};
const off = { allowPrivate: false, dropStore: false, http2: false };
export type ChannelDraft = typeof empty & typeof off;

export interface ChannelForm {
  draft: ChannelDraft;
  set(name: keyof typeof empty): (value: string) => void;
  turn(name: keyof typeof off): (isOn: boolean) => void;
  /** Fills in what is known of a vendor. */
  apply(preset: ChannelPreset): void;
}

export function useDraft(view: ChannelView | null): ChannelForm {
  const [draft, setDraft] = useState<ChannelDraft>(() =>
    view ? draftOf(view) : { ...empty, ...off },
  );
  const change = (some: Partial<ChannelDraft>) => setDraft((old) => ({ ...old, ...some }));
  return {
    draft,
    set: (name) => (value) => change({ [name]: value }),
    turn: (name) => (isOn) => change({ [name]: isOn }),
    apply: (preset) =>
      change({
        name: preset.name,
        type: preset.type,
        format: preset.format ?? "",
        address: preset.base_url,
        allowPrivate: preset.allow_private,
        remove: preset.parameters.remove?.join(", ") ?? "",
        // What runs on one's own machine takes any key.
        keys: preset.allow_private ? "none" : "",
      }),
  };
}

function draftOf(view: ChannelView): ChannelDraft {
  const number = (value: number | null) => (value === null ? "" : String(value));
  const { set = {}, remove = [] } = view.parameters;
  return {
    name: view.name,
    type: view.type,
    format: view.format ?? "",
    address: view.base_url,
    keys: "",
    models: view.models.join("\n"),
    groups: view.groups.join(", "),
    priority: String(view.priority),
    weight: String(view.weight),
    concurrency: number(view.concurrency),
    hiddenPrompt: view.hidden_prompt_tokens === 0 ? "" : String(view.hidden_prompt_tokens),
    mapping: linesOf(view.model_mapping, " = "),
    set: Object.keys(set).length === 0 ? "" : JSON.stringify(set, null, 2),
    remove: remove.join(", "),
    headers: linesOf(view.headers, ": "),
    proxy: view.proxy ?? "",
    firstByte: number(view.first_byte_ms),
    stall: number(view.stall_ms),
    total: number(view.total_ms),
    allowPrivate: view.allow_private,
    dropStore: view.drop_store,
    http2: view.http2,
  };
}

function linesOf(values: Record<string, string>, between: string): string {
  return Object.entries(values)
    .map(([name, value]) => name + between + value)
    .join("\n");
}

/** What the API takes; null takes a setting away. What is wrong stays as it was typed. */
export function bodyOf(draft: ChannelDraft, before: ChannelView | null): Record<string, unknown> {
  const keys = readNames(draft.keys);
  const set = readObject(draft.set);
  const remove = readNames(draft.remove);
  const parameters = { ...(set !== null && { set }), ...(remove.length > 0 && { remove }) };
  const proxy = draft.proxy.trim() || null;
  return {
    name: draft.name.trim(),
    type: draft.type,
    format: draft.format || null,
    base_url: draft.address.trim(),
    ...(keys.length > 0 && { keys }),
    models: readNames(draft.models),
    groups: readNames(draft.groups),
    priority: readSigned(draft.priority),
    weight: readSigned(draft.weight),
    concurrency: numberOf(draft.concurrency),
    hidden_prompt_tokens: numberOf(draft.hiddenPrompt),
    model_mapping: readLines(draft.mapping, "="),
    parameters,
    headers: readLines(draft.headers, ":"),
    // It is shown without its credentials, so only another one is written.
    ...(proxy !== (before?.proxy ?? null) && { proxy }),
    first_byte_ms: numberOf(draft.firstByte),
    stall_ms: numberOf(draft.stall),
    total_ms: numberOf(draft.total),
    allow_private: draft.allowPrivate,
    drop_store: draft.dropStore,
    http2: draft.http2,
  };
}

/** Of a new one nothing has to be taken away. */
export function newBodyOf(draft: ChannelDraft): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(bodyOf(draft, null)).filter(([, value]) => value !== null),
  );
}

function numberOf(text: string): number | string | null {
  const value = readWhole(text);
  return value === undefined ? text : value;
}

function readLines(text: string, between: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(between);
      const end = at === -1 ? line.length : at;
      return [line.slice(0, end).trim(), line.slice(end + between.length).trim()];
    }),
  );
}

/** Null for nothing; text that is no object stays text. */
function readObject(text: string): unknown {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
