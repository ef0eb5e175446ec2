// In what the programs of this lineage differ from each other.
import type { SourceRow } from "../queries.ts";

/** One of their kinds of channels, in our words. */
export interface ChannelKind {
  type: "openai" | "anthropic" | "google" | "ark" | "minimax" | "kling" | "midjourney" | "gateway";
  /** Empty where it has to be given. */
  base: string;
  /** What their program adds to the address by itself. */
  path?: string;
  /** What of it works here, where that is not all. */
  only?: string;
}

export interface Lineage {
  program: string;
  /** By their number. */
  channels: Readonly<Record<number, ChannelKind>>;
  /** The names of the rest, for the report. */
  otherChannels: Readonly<Record<number, string>>;
  isDeleted(user: SourceRow): boolean;
  /** A person's number at the site, which nobody else ever gets; a name may change hands. */
  hasSubjects: boolean;
  /** A built-in rule for the price of output is stronger than what was saved. */
  locksOutput: boolean;
}
