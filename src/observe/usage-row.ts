// A request's record: who asked for what, what became of it, and what it cost. It is the log's own
// row from the moment it is made to the moment it is shown.
import { blankUsage, type UsageLogTable } from "../store/usage-columns.ts";
import { noNotes, type AttemptNote } from "./attempt-note.ts";

/** Stands before what was put into a request. */
export const addedMark = "+";

export type UsageRow = UsageLogTable;

/** A row that is to be written, and what is written beside it. */
export interface UsageRecord extends UsageRow {
  /** Every attempt, where one of them did not serve the request; otherwise none. */
  trail: readonly AttemptNote[];
}

/** A record of which no more is known than this. */
export function toUsageRecord(known: Partial<UsageRecord> & Pick<UsageRow, "id">): UsageRecord {
  return { ...blankUsage, trail: noNotes, ...known };
}

/** The channels whose fault an attempt's failure was, one for each such attempt. */
export function writeFailedChannels(channelIds: readonly string[]): string | null {
  return channelIds.length === 0 ? null : channelIds.join(" ");
}

export function readFailedChannels({ failed_channels }: UsageRow): readonly string[] {
  return failed_channels?.split(" ") ?? [];
}
