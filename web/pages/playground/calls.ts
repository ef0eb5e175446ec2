// What is sent, made of what was typed. A field that is wrong is named, and nothing is sent.
import { readWhole } from "../../core/amounts.ts";
import { textCall, type Call, type Message, type Picture } from "../../core/text-formats.ts";
import type { Kind, Settings, Turn } from "./state.ts";

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

export function isSound(kind: Kind, settings: Settings): boolean {
  const { more, temperature, tokensMax, count } = settings;
  if (readMore(more) === null) return false;
  if (kind === "image") return readWhole(count) !== undefined;
  if (kind === "video") return true;
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

export function mediaCallOf(kind: "image" | "video", settings: Settings, asked: Asked): Call {
  const { size, seconds } = settings;
  const count = readWhole(settings.count);
  const own = {
    model: asked.model,
    prompt: withRehearsal(settings, asked.prompt),
    ...(size.trim() !== "" && { size: size.trim() }),
  };
  const more = readMore(settings.more) ?? {};
  if (kind === "image") {
    return {
      path: "/v1/images/generations",
      body: { ...own, ...(count && { n: count }), ...more },
    };
  }
  const length = seconds.trim() === "" ? {} : { seconds: seconds.trim() };
  return { path: "/v1/videos", body: { ...own, ...length, ...more } };
}

function withRehearsal({ rehearsal }: Settings, prompt: string): string {
  return rehearsal === "" ? prompt : `${prompt} ${rehearsal}`;
}

/** For JSON that is shown: nobody reads a picture. What has spaces is a text. */
export function shorten(_name: string, value: unknown): unknown {
  const isData = typeof value === "string" && value.length > 2000 && !value.includes(" ");
  return isData ? `${value.slice(0, 100)}…` : value;
}
