// Flags and the fields of the gateway that they stand for. What it says against a command is told
// in the words that whoever typed it can type; `sluice api` shows the fields as they are.
import { ApiKeyInput, ChannelInput, PriceInput } from "../config/entities.ts";

/** Flags that are called otherwise than their fields. */
const renamed: Readonly<Record<string, string>> = {
  audio_output_micros_per_million: "audio",
  base_url: "url",
  factors: "tier",
  headers: "header",
  model_mapping: "map",
  output_tokens_max: "output-max",
  q: "search",
};

/** Without its unit, which the value says. */
export function flagOf(field: string): string {
  return renamed[field] ?? field.replace(unit, "").replaceAll("_", "-");
}

const unit = /_(?:micros(?:_per_million)?|at)$/;

/** Names of one word say many things, but for this one. */
const fields = [ChannelInput, ApiKeyInput, PriceInput]
  .flatMap(({ properties }) => Object.keys(properties))
  .filter((field) => field.includes("_") || field === "models");
const named = new RegExp(`(?<![\\w.-])(${fields.join("|")})(: true)?(?![\\w])`, "g");

/** Only a field at the head of a sentence, or set to something, is one that was meant. */
export function inFlags(message: string): string {
  // The address itself says which of the flags is meant.
  return message
    .replace(/^\w+ (?=\S+ is a private address)/, "")
    .replace(named, (word: string, field: string, value: string | undefined, at: number) => {
      const isMeant = field.includes("_") || at === 0 || value !== undefined;
      return isMeant ? `--${flagOf(field)}` : word;
    });
}
