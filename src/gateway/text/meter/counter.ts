// Counts tokens of texts of any length: in pieces, so that nothing takes long, and with pauses, so
// that a long text keeps no short one waiting. The tokenizer is loaded when it is first needed.
import { pieces } from "./cut.ts";

type CountTokens = (text: string) => number;

const charactersBetweenPauses = 32 * 1024;
/** The words whose merges are remembered: enough for a language, and a few megabytes. */
const mergesMax = 5_000;

interface SomeTokens {
  tokens: number;
  /** Counted of the texts, from their beginning. */
  characters: number;
  isWhole: boolean;
}

export class TokenCounter {
  readonly #pause: () => Promise<void>;
  #loading: Promise<CountTokens> | null = null;

  constructor(pause: () => Promise<void>) {
    this.#pause = pause;
  }

  /** Null when it is not wanted any more. */
  async count(texts: readonly string[], isWanted: () => boolean): Promise<number | null> {
    const { tokens, isWhole } = await this.countSome(texts, isWanted);
    return isWhole ? tokens : null;
  }

  /** Count as far as it comes while it is wanted. */
  async countSome(texts: readonly string[], isWanted: () => boolean): Promise<SomeTokens> {
    const countTokens = await this.load();
    let tokens = 0;
    let characters = 0;
    let due = charactersBetweenPauses;
    for (const text of texts) {
      for (const piece of pieces(text)) {
        tokens += countTokens(piece);
        characters += piece.length;
        if (characters < due) continue;
        due = characters + charactersBetweenPauses;
        await this.#pause();
        if (!isWanted()) return { tokens, characters, isWhole: false };
      }
    }
    return { tokens, characters, isWhole: true };
  }

  /** Takes a moment the first time. */
  load(): Promise<CountTokens> {
    this.#loading ??= loadTokenizer();
    return this.#loading;
  }
}

async function loadTokenizer(): Promise<CountTokens> {
  const tokenizer = await import("gpt-tokenizer/encoding/o200k_base");
  tokenizer.setMergeCacheSize(mergesMax);
  // Nothing is disallowed: what looks like a special token is text that somebody wrote.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => tokenizer.countTokens(text, options);
}
