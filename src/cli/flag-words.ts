// The gateway speaks of fields, a command of flags: what it says against a command is told in the
// words that whoever typed it can type. `sluice api` shows the fields as they are.

const flags: Readonly<Record<string, string>> = {
  allow_private: "--allow-private",
  base_url: "--url",
  models: "--models",
  model_mapping: "--map",
  quota_micros: "--quota",
  input_micros_per_million: "--input",
  output_micros_per_million: "--output",
  cache_read_micros_per_million: "--cache-read",
  cache_write_micros_per_million: "--cache-write",
  cache_write_1h_micros_per_million: "--cache-write-1h",
  audio_output_micros_per_million: "--audio",
  image_micros: "--image",
  second_micros: "--second",
  call_micros: "--call",
};

const named = new RegExp(`(?<![\\w.-])(${Object.keys(flags).join("|")})(: true)?(?![\\w])`, "g");

/** Only a field at the head of a sentence, or set to something, is one that was meant. */
export function inFlags(message: string): string {
  return message.replace(
    named,
    (word: string, field: string, value: string | undefined, at: number) => {
      const isMeant = field.includes("_") || at === 0 || value !== undefined;
      return isMeant ? (flags[field] ?? word) : word;
    },
  );
}
