// A preset: models, words and parameters under a name, kept in the browser or sent as a link. The
// link has it behind the `#`, which no browser sends to anybody, and asks nothing by itself.
import { textFormats, type TextFormat } from "../../core/text/formats.ts";

/** Texts as they were typed. */
export interface PresetSettings {
  format: TextFormat;
  system: string;
  temperature: string;
  tokensMax: string;
  /** JSON list. */
  tools: string;
  /** JSON. */
  more: string;
}

export interface Preset {
  name: string;
  models: readonly string[];
  settings: PresetSettings;
}

const lettersMax = 20_000;
const nameMax = 60;
const modelsMax = 4;

/** Null for what is none; what it has besides is left out. */
export function readPreset(value: unknown): Preset | null {
  if (typeof value !== "object" || value === null) return null;
  const { name, models, settings } = value as Record<string, unknown>;
  if (typeof name !== "string" || !Array.isArray(models)) return null;
  if (typeof settings !== "object" || settings === null) return null;
  const fields = settings as Record<string, unknown>;
  const text = (field: string) => (typeof fields[field] === "string" ? fields[field] : "");
  const format = textFormats.find((one) => one === fields["format"]);
  if (format === undefined) return null;
  return {
    name: name.slice(0, nameMax),
    models: models.filter((one) => typeof one === "string").slice(0, modelsMax),
    settings: {
      format,
      system: text("system"),
      temperature: text("temperature"),
      tokensMax: text("tokensMax"),
      tools: text("tools"),
      more: text("more"),
    },
  };
}

const mark = "#preset=";

export function presetHash(preset: Preset): string {
  const bytes = new TextEncoder().encode(JSON.stringify(preset));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return mark + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Null where there is none behind the `#`, or it has been cut on its way. */
export function presetIn(hash: string): Preset | null {
  if (!hash.startsWith(mark) || hash.length > lettersMax) return null;
  try {
    const letters = atob(hash.slice(mark.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return readPreset(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    return null;
  }
}
