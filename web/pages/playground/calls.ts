// Calls made of the typed fields. A field that is wrong is named, and nothing is sent.
import type { ModelView } from "../../../src/admin/contract.ts";
import { readWhole } from "../../core/amounts.ts";
import { textCall } from "../../core/text/call.ts";
import type { Call, Message } from "../../core/text/formats.ts";
import { readTools } from "../../core/text/tools.ts";
import { fieldsOf, type Kind, type Reply, type Settings, type Turn } from "./state.ts";

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
  const { more, temperature, tokensMax, tools } = settings;
  if (readMore(more) === null) return false;
  if (kind !== "text")
    return !fieldsOf(model).some((field) => isWrong(field, valueIn(settings, field)));
  if (readTools(tools) === null) return false;
  return readTemperature(temperature) !== undefined && readWhole(tokensMax) !== undefined;
}

/** Call that answers the last of the turns, which may still be without a reply. */
export function textCallOf(settings: Settings, model: string, turns: readonly Turn[]): Call {
  return textCall({
    format: settings.format,
    model,
    system: settings.system.trim(),
    messages: turns.flatMap((turn, at) =>
      messagesIn(settings, model, turn, at === turns.length - 1),
    ),
    tools: readTools(settings.tools) ?? [],
    temperature: readTemperature(settings.temperature) ?? null,
    tokensMax: readWhole(settings.tokensMax) ?? tokensUsual,
    more: readMore(settings.more) ?? {},
  });
}

/** A question of before counts only where this model has answered it. */
function messagesIn(settings: Settings, model: string, turn: Turn, isLast: boolean): Message[] {
  const { question, pictures, strands } = turn;
  const replies = strands.find((one) => one.model === model)?.replies.peek() ?? [];
  const said = replies.flatMap((reply, at) =>
    messagesOfReply(reply, !isLast || at < replies.length - 1),
  );
  if (!isLast && said.length === 0) return [];
  const content = isLast ? withRehearsal(settings, question) : question;
  return [{ role: "user", content, pictures }, ...said];
}

/** Every call needs its result before anything else is said, be it that there is none. */
function messagesOfReply({ text, calls, results }: Reply, hasMore: boolean): Message[] {
  const [content, asked] = [text.peek(), calls.peek()];
  if (content === "" && asked.length === 0) return [];
  const answer: Message = { role: "assistant", content, calls: asked };
  if (!hasMore || asked.length === 0) return [answer];
  const given = results.peek();
  return [
    answer,
    { role: "tool", results: asked.map((call) => ({ call, content: given[call.id] ?? "" })) },
  ];
}

const readers = { text: String, number: Number, truth: (text: string) => text === "true" };
const mediaPaths = { image: "/v1/images/generations", video: "/v1/videos" };

interface Asked {
  model: string;
  prompt: string;
}

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
