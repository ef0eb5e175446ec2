// Calls made of the typed fields. A field that is wrong is named, and nothing is sent.
import type { ModelView } from "../../../src/admin/contract.ts";
import { readWhole } from "../../core/amounts.ts";
import { textCall, type Call, type Message, type Picture } from "../../core/text-formats.ts";
import { fieldsOf, type Kind, type Settings, type Turn } from "./state.ts";

const tokensUsual = 1024;

/** Null where it is not an object. */
export function readMore(text: string): object | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Null for nothing; undefined where it is no number. */
export function readTemperature(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

type ModelField = ModelView["fields"][number];

/** Value typed for it, also for another model, as far as this one takes it. */
export function valueIn({ fields }: Settings, { name, values, open }: ModelField): string {
  const text = fields[name] ?? "";
  return open || values.length === 0 || values.includes(text) ? text : "";
}

/** Only what surely is: the rest is for the gateway to judge. */
export function isWrong({ min, max, required }: ModelField, text: string): boolean {
  if (text.trim() === "") return required;
  return min !== null && max !== null && !(Number(text) >= min && Number(text) <= max);
}

export function isSound(kind: Kind, settings: Settings, model: string): boolean {
  const { more, temperature, tokensMax } = settings;
  if (readMore(more) === null) return false;
  if (kind !== "text")
    return !fieldsOf(model).some((field) => isWrong(field, valueIn(settings, field)));
  return readTemperature(temperature) !== undefined && readWhole(tokensMax) !== undefined;
}

interface Asked {
  model: string;
  prompt: string;
  pictures?: readonly Picture[];
}

export function textCallOf(settings: Settings, asked: Asked, past: readonly Turn[]): Call {
  const { pictures = [] } = asked;
  const prompt = withRehearsal(settings, asked.prompt);
  const messages: Message[] = past.flatMap(({ question, pictures: seen, replies }): Message[] => {
    const reply = replies.find(({ model }) => model === asked.model)?.text.peek() ?? "";
    if (reply === "") return [];
    return [
      { role: "user", content: question, pictures: seen },
      { role: "assistant", content: reply },
    ];
  });
  return textCall({
    format: settings.format,
    model: asked.model,
    system: settings.system.trim(),
    messages: [...messages, { role: "user", content: prompt, pictures }],
    temperature: readTemperature(settings.temperature) ?? null,
    tokensMax: readWhole(settings.tokensMax) ?? tokensUsual,
    more: readMore(settings.more) ?? {},
  });
}

const readers = { text: String, number: Number, truth: (text: string) => text === "true" };
const mediaPaths = { image: "/v1/images/generations", video: "/v1/videos" };

export function mediaCallOf(kind: "image" | "video", settings: Settings, asked: Asked): Call {
  const own = fieldsOf(asked.model).flatMap((field) => {
    const text = valueIn(settings, field).trim();
    if (text === "") return [];
    return [[field.name, readers[field.type](text)]];
  });
  const prompt = withRehearsal(settings, asked.prompt);
  const fields = Object.fromEntries(own) as object;
  const more = readMore(settings.more) ?? {};
  return { path: mediaPaths[kind], body: { model: asked.model, prompt, ...fields, ...more } };
}

function withRehearsal({ rehearsal }: Settings, prompt: string): string {
  return rehearsal === "" ? prompt : `${prompt} ${rehearsal}`;
}

/** For JSON that is shown: nobody reads a picture. What has spaces is a text. */
export function shorten(_name: string, value: unknown): unknown {
  const isData = typeof value === "string" && value.length > 2000 && !value.includes(" ");
  return isData ? `${value.slice(0, 100)}…` : value;
}
