// In what the programs of this lineage differ from each other.
import type { SourceRow } from "../queries.ts";
import type { NumberedKinds } from "./channel-kinds.ts";

export interface Lineage {
  program: string;
  /** Kinds of channels by their number. */
  channels: NumberedKinds;
  /** The names of the rest, for the report. */
  otherChannels: Readonly<Record<number, string>>;
  isDeleted(user: SourceRow): boolean;
  /** A person's number at the site, which nobody else ever gets; a name may change hands. */
  hasSubjects: boolean;
  /** A built-in rule for the price of output is stronger than what was saved. */
  locksOutput: boolean;
}
