// Rules of Google's models, as data, one line a model.

type GeminiThinking =
  | { kind: "none" }
  | { kind: "level"; lowest: "MINIMAL" | "LOW" }
  | { kind: "budget"; tokensMin: number; tokensMax: number; canBeOff: boolean };

/** The first row whose pattern is found in the model's name says what holds. */
const models: readonly [RegExp, GeminiThinking][] = [
  [/gemini-3\S*pro-image/, { kind: "budget", tokensMin: 128, tokensMax: 32_768, canBeOff: false }],
  [/gemini-(?:[3-9]|\d\d)\S*pro/, { kind: "level", lowest: "LOW" }],
  [/gemini-(?:[3-9]|\d\d)/, { kind: "level", lowest: "MINIMAL" }],
  [/gemini-2\.5-pro/, { kind: "budget", tokensMin: 128, tokensMax: 32_768, canBeOff: false }],
  [/gemini-2\.5-flash-lite/, { kind: "budget", tokensMin: 512, tokensMax: 24_576, canBeOff: true }],
  [/gemini-(?:1|2\.0)/, { kind: "none" }],
];
const unknownModel: GeminiThinking = {
  kind: "budget",
  tokensMin: 0,
  tokensMax: 24_576,
  canBeOff: true,
};

export function thinkingOf(model: string): GeminiThinking {
  return models.find(([pattern]) => pattern.test(model))?.[1] ?? unknownModel;
}

/** Whether calls in the history must carry a signature. An unknown name counts as a new model's. */
export function needsSignatures(model: string): boolean {
  return !/gemini-[12](?!\d)|gemma/.test(model);
}
