// State of the playground while its page is open or another one is: the conversation, what was
// made, and how to ask.
import { signal, type Signal } from "@preact/signals";
import type { LogView, ModelView } from "../../../src/admin/contract.ts";
import type { ApiError } from "../../core/api.ts";
import { keep, keptText } from "../../core/kept.ts";
import { query, setQuery } from "../../core/place.ts";
import { self } from "../../core/session.ts";
import type { Call, Picture, ToolCall } from "../../core/text/formats.ts";
import type { PresetSettings } from "./preset.ts";

export const kinds = ["text", "image", "video"] as const;
export type Kind = (typeof kinds)[number];
export const views = ["result", "request", "response", "code"] as const;
export type View = (typeof views)[number];
export const modelsMax = 4;

export interface Settings extends PresetSettings {
  rehearsal: string;
  /**
   * Fields of pictures and videos, by name, as they were typed; other models may have some of them.
   */
  fields: Readonly<Record<string, string>>;
}

export const usual: Settings = {
  format: "chat",
  system: "",
  temperature: "",
  tokensMax: "1024",
  tools: "",
  rehearsal: "",
  fields: {},
  more: "",
};

export interface ReplyFacts {
  status: number | null;
  requestId: string | null;
  firstMs: number | null;
  totalMs: number | null;
  state: "running" | "over" | "stopped";
  error: ApiError | null;
  row: LogView | null;
}

/** Answer to one request. */
export interface Reply {
  text: Signal<string>;
  raw: Signal<string>;
  calls: Signal<readonly ToolCall[]>;
  pictures: Signal<readonly Picture[]>;
  /** Results of its calls, by their ids, as they were typed. */
  results: Signal<Readonly<Record<string, string>>>;
  facts: Signal<ReplyFacts>;
}

/** Replies of one model to one question: one more for each round of tools. */
export interface Strand {
  model: string;
  replies: Signal<readonly Reply[]>;
}

export interface Turn {
  question: string;
  pictures: readonly Picture[];
  strands: readonly Strand[];
}

export interface MediaFacts extends ReplyFacts {
  progress: number | null;
  task: "queued" | "in_progress" | "completed" | "failed" | null;
  taskId: string | null;
  /** Addresses of the gateway itself. */
  urls: string[];
}

export interface Piece {
  kind: "image" | "video";
  model: string;
  prompt: string;
  call: Call;
  raw: Signal<string>;
  facts: Signal<MediaFacts>;
  abort: AbortController;
}

export const newFacts: ReplyFacts = {
  status: null,
  requestId: null,
  firstMs: null,
  totalMs: null,
  state: "running",
  error: null,
  row: null,
};

export const settings = signal<Settings>(usual);
export const turns = signal<readonly Turn[]>([]);
export const pieces = signal<readonly Piece[]>([]);
export const draft = signal("");
/** Go with the next question. */
export const pictures = signal<readonly Picture[]>([]);
/** Those that can be asked, once they are known. */
export const offered = signal<readonly ModelView[] | null>(null);
export const running = signal<AbortController | null>(null);
let owner: string | undefined;

/** A person who signs in after someone else finds it empty. */
export function takeOver(): void {
  const name = self.value?.username;
  if (owner !== undefined && owner !== name) {
    running.value?.abort();
    settings.value = usual;
    turns.value = [];
    pieces.value = [];
    draft.value = "";
    pictures.value = [];
  }
  owner = name;
}

export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part };
}

/** The form as it asks for something that was made before; what it has no field for is JSON. */
export function fill(body: Readonly<Record<string, unknown>>): void {
  const { model, prompt, ...rest } = body;
  const names = fieldsOf(String(model)).map(({ name }) => name);
  const entries = Object.entries(rest);
  const isField = ([name, value]: (typeof entries)[number]) =>
    names.includes(name) && typeof value !== "object";
  const more = entries.filter((entry) => !isField(entry));
  draft.value = prompt === undefined ? "" : String(prompt);
  change({
    fields: Object.fromEntries(
      entries.filter(isField).map(([name, value]) => [name, String(value)]),
    ),
    rehearsal: "",
    more: more.length === 0 ? "" : JSON.stringify(Object.fromEntries(more), null, 2),
  });
}

export function kindOf(): Kind {
  return kinds.find((one) => one === query.value.get("kind")) ?? "text";
}

export function fieldsOf(model: string): ModelView["fields"] {
  return offered.value?.find(({ id }) => id === model)?.fields ?? [];
}

export function viewOf(): View {
  return views.find((one) => one === query.value.get("view")) ?? "result";
}

export function chosenModels(): string[] {
  const names = (query.value.get("model") ?? "").split(",").filter((name) => name !== "");
  return names.slice(0, kindOf() === "text" ? modelsMax : 1);
}

export function chooseModels(names: readonly string[]): void {
  keep(lastPlace(), names.join(","));
  setQuery({ model: names.join(",") });
}

/** Those that this person chose last, of this kind. */
export function lastModels(): string[] {
  const names = (keptText(lastPlace()) ?? "").split(",").filter((name) => name !== "");
  return names.slice(0, modelsMax);
}

const lastPlace = () => `models.${kindOf()}.${self.value?.username}`;
