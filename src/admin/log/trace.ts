// All that is known of one request: where it could have gone, when what was done, in what format,
// and its money as the ledger has it. Most of it follows from what is kept anyway.
import { findBooking } from "../../quota/history/queries.ts";
import { formatOfRoute } from "../../observe/format-of-route.ts";
import { isCaptured } from "../../observe/capture/queries.ts";
import { decodeMembers } from "../../observe/chain-note.ts";
import { decodeCandidates } from "../../observe/candidate-note.ts";
import type { UsageFilter } from "../../observe/listing/queries.ts";
import { addedMark, type UsageRow } from "../../observe/usage-row.ts";
import type { EntryTable } from "../../store/schema.ts";
import type { AttemptView, CandidateView, LogView, TraceView } from "./contract.ts";
import { toSeconds } from "../input.ts";
import type { RecordNeeds } from "../record-needs.ts";

type ShowTrace = (row: UsageRow, tries: readonly AttemptView[]) => Pick<LogView, "trace">;

/** Nothing, unless the rows are those of one request that was asked for. */
export async function readTraces(
  { database, store }: Pick<RecordNeeds, "database" | "store">,
  { requestId }: UsageFilter,
  rows: readonly UsageRow[],
): Promise<ShowTrace> {
  if (requestId === undefined) return () => ({});
  // Entries come by the journal.
  await store.applied();
  const bookings = new Map<UsageRow, EntryTable>();
  for (const row of rows) {
    // The creation of a task has no money of its own.
    const booking =
      row.kind === "request" && row.task_id ? null : await findBooking(database, row.id);
    if (booking) bookings.set(row, booking);
  }
  const captured = await isCaptured(database, requestId);
  return (row, tries) => ({
    trace: { ...toTrace(row, tries, bookings.get(row) ?? null), captured },
  });
}

function toTrace(
  row: UsageRow,
  tries: readonly AttemptView[],
  booking: EntryTable | null,
): Omit<TraceView, "captured"> {
  const [spoken, ...words] = row.converted?.split(" ") ?? [];
  const isAdded = (word: string) => word.startsWith(addedMark);
  const own = row.channel_id === null ? null : formatOfRoute(row.route);
  return {
    admitted_ms: tries[0]?.started_ms ?? null,
    hold_written_ms: row.stream ? row.first_byte_ms : null,
    settled_ms: row.latency_ms,
    upstream_format: spoken ?? own,
    ignored: words.filter((word) => !isAdded(word)),
    added: words.filter(isAdded).map((word) => word.slice(addedMark.length)),
    money: booking && toMoney(booking),
    ...(row.chain !== null && { members: [...decodeMembers(row.chain)] }),
  };
}

function toMoney(entry: EntryTable): NonNullable<TraceView["money"]> {
  return {
    kind: entry.kind,
    held_micros: entry.held_micros,
    charged_micros: entry.micros,
    given_back_micros: Math.max(entry.held_micros - entry.micros, 0),
    loss_micros: entry.loss_micros,
    price: entry.price,
    usage: entry.usage,
    at: toSeconds(entry.at_ms),
  };
}

/** Possible losses are the gateway's own affair. */
export function toOwnTrace({ trace }: Pick<LogView, "trace">): Pick<LogView, "trace"> {
  if (!trace?.money) return trace ? { trace } : {};
  const { loss_micros: _loss, ...money } = trace.money;
  return { trace: { ...trace, money } };
}

/** For admins: how its channel was found among all that there were. */
export function withRoute(
  { trace }: Pick<LogView, "trace">,
  row: UsageRow,
  tries: readonly AttemptView[],
): Pick<LogView, "trace"> {
  if (!trace) return {};
  const shown = { ...trace, affinity: row.affinity, waited_ms: row.waited_ms ?? 0 };
  const notes = decodeCandidates(row.candidates);
  if (notes.length === 0) return { trace: shown };
  const tried = new Set(tries.map(({ channel_id }) => channel_id));
  // The one furthest down decides: those beside it are not below it.
  const used = notes.filter(({ channelId }) => tried.has(channelId));
  const lowestUsed = Math.min(...used.map(({ priority }) => priority));
  const candidates = notes.map((note): CandidateView => {
    const isLower = used.length > 0 && note.priority < lowestUsed;
    const unneeded = isLower ? "lower priority" : "not needed";
    const untried = note.state === "open" ? unneeded : note.state;
    return {
      channel: note.channelName,
      channel_id: note.channelId,
      priority: note.priority,
      weight: note.weight,
      in_flight: note.inFlight,
      state: note.state,
      reason: tried.has(note.channelId) ? "tried" : untried,
    };
  });
  return { trace: { ...shown, candidates } };
}
