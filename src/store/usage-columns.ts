// The columns of the usage log, each stated once: its kind, and with it what it is where nothing is
// known. The row, its blank, its cells and its sums follow from here.

/** Booleans are 0 and 1. */
type Flag = 0 | 1;
type Outcome = "ok" | "rejected" | "client_abort" | "upstream_error" | "gateway_error";
type Kind = "request" | "task";
const cell = <Cell>(blank: Cell): Cell => blank;

/**
 * A request, or the end of a task, of which nothing is known. Journals are kept in this order, so a
 * column is never moved, and a new one comes last and may be absent.
 */
export const blankUsage = {
  /** The request's id, or the task's whose end is told here: the id of the ledger's entry. */
  id: "",
  /** Moment it came in, which is that of its id; of a task, when it ended. */
  at_ms: 0,
  account_id: "",
  key_id: "",
  key_name: "",
  group_name: "",
  route: "",
  model: "",
  channel_id: cell<string | null>(null),
  channel_name: cell<string | null>(null),
  status: 0,
  outcome: cell<Outcome>("ok"),
  stream: cell<Flag>(0),
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  /** Whether the tokens were counted here because the upstream did not tell. */
  estimated: cell<Flag>(0),
  micros: 0,
  latency_ms: 0,
  first_byte_ms: cell<number | null>(null),
  attempts: 0,
  ip: "",
  error_code: cell<string | null>(null),
  /** A request, or the end of a task that a request before it made. */
  kind: cell<Kind>("request"),
  images: 0,
  /** The length of what was made, of videos and sounds. */
  media_ms: 0,
  /** Task that the request made. */
  task_id: cell<string | null>(null),
  /** Attempts that failed by fault of their channel. */
  failed_attempts: 0,
  /** Their channels, one for each, with a space between them. */
  failed_channels: cell<string | null>(null),
  /**
   * The format of the upstream, what was put in behind its mark, and what was left out; absent
   * where it is the client's own and as it came.
   */
  converted: cell<string | null>(null),
  /** The candidates, as JSON, where the first choice did not serve. */
  candidates: cell<string | null>(null),
  /** The trace that its spans were sent in, where it was traced. */
  trace_id: cell<string | null>(null),
  /** Choice of its channel and key, where it is of a conversation that stays on one. */
  affinity: cell<string | null>(null),
  /** Price of its channel's vendor for it; absent where nobody knows. */
  cost_micros: cell<number | null>(null),
  /** The name that the client wrote, where its key has it stand for `model`. */
  asked_model: cell<string | null>(null),
  /** The model that served, where `model` is a virtual one. */
  served_model: cell<string | null>(null),
  /** The members of the virtual model and what became of each, as JSON. */
  chain: cell<string | null>(null),
  /** Time in line for a channel that was back in a moment. */
  waited_ms: cell<number | null>(null),
  /** The request whose answer was given again. */
  replay_of: cell<string | null>(null),
  /** The request's own word. */
  label: cell<string | null>(null),
  /** The message that the client got of an error, where it is the gateway's own. */
  error_message: cell<string | null>(null),
  /** A fuller message for operators, where the client was told less. */
  error_detail: cell<string | null>(null),
};

export type UsageLogTable = typeof blankUsage;
export type UsageColumn = keyof UsageLogTable;

/** In the order of journals. */
export const usageColumns = Object.keys(blankUsage) as UsageColumn[];

/** Those that sums are kept of: by days, by slots and by facets. */
export const summedColumns = [
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "images",
  "media_ms",
  "micros",
  "cost_micros",
] as const satisfies readonly UsageColumn[];
