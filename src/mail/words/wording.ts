// A letter in words: what both languages have to say of every kind.
import type { LetterFacts, LetterKind } from "../letter.ts";

export interface LetterWords {
  subject: string;
  /** Plain text, a paragraph each. */
  before: readonly string[];
  url?: string;
  /** Digits to be typed. */
  code?: string;
  after?: readonly string[];
}

export type MailWords = {
  [Kind in LetterKind]: (facts: LetterFacts[Kind], site: string) => LetterWords;
};
