// The usage log as it goes over the wire.
import { invalid } from "../../core/errors.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { holders } from "../../identity/role.ts";
import { callsOf } from "../call.ts";
import {
  listFields,
  momentSchema,
  money,
  moneySchema,
  pages,
  withSums,
} from "../contract/basics.ts";
import { byKey, byLabel, ofOthers } from "../search.ts";
import { span } from "../span.ts";
import { UsageSums } from "../usage/contract.ts";

const AttemptView = Type.Object({
  number: whole("Counted from 1."),
  outcome: text("`served`, `refused`, `failed`, `abandoned`, or `broken` after it was served."),
  started_ms: orNull(Type.Number({ description: "Since the request came in." })),
  ended_ms: Type.Number({ description: "Since the request came in." }),
  channel: Type.Optional(text("For admins, as are the rest.")),
  channel_id: Type.Optional(text()),
  key_last4: Type.Optional(orNull(text("Empty for a short key; null where it was not kept."))),
  key_position: Type.Optional(orNull(whole("Of the key on its channel, counted from 0."))),
  blame: Type.Optional(orNull(text("Whose fault it was, as the gateway judged it."))),
  status: Type.Optional(orNull(whole("Of the vendor's answer; null when there was none."))),
  code: Type.Optional(orNull(text("Of the catalogue of errors."))),
  words: Type.Optional(orNull(text("What the vendor or the network said."))),
  vendor_request_id: Type.Optional(orNull(text("By which the vendor knows it; null if untold."))),
  model: Type.Optional(orNull(text("The member that it was for, of a virtual model."))),
});
export type AttemptView = Static<typeof AttemptView>;

const CandidateView = Type.Object({
  channel: text(),
  channel_id: text(),
  priority: Type.Number({ description: "The highest comes first." }),
  weight: Type.Number({ description: "Its share among those of one priority." }),
  in_flight: whole(),
  state: text("`open`, `ejected`, `saturated`, `resting` or `disabled`."),
  reason: text("`tried`, the state, `lower priority`, or `not needed`."),
});
export type CandidateView = Static<typeof CandidateView>;

const TraceView = Type.Object({
  admitted_ms: orNull(Type.Number({ description: "When the first attempt began; or null." })),
  hold_written_ms: orNull(Type.Number({ description: "Of streams, before their first byte." })),
  settled_ms: Type.Number({ description: "When it was settled, since it came in." }),
  upstream_format: orNull(text("The format that the upstream was spoken to in; null for none.")),
  ignored: Type.Array(text(), { description: "Fields of the client that were left out." }),
  added: Type.Array(text(), {
    description: "Bounds that the client did not name and was given, such as max_tokens=64000.",
  }),
  captured: Type.Boolean({ description: "Whether its content can be read for now." }),
  money: orNull(
    money(
      Type.Object({
        kind: text("`post` where something was charged, otherwise `void`."),
        held_micros: moneySchema,
        charged_micros: moneySchema,
        given_back_micros: moneySchema,
        loss_micros: Type.Optional(moneySchema),
        price: orNull(
          text("Picos for a token: input/output/cache read/cache write/call, and more."),
        ),
        usage: orNull(text("What was charged for, as the ledger has it.")),
        at: momentSchema,
      }),
    ),
  ),
  members: Type.Optional(
    Type.Array(Type.Object({ model: text(), fate: text("What became of it.") }), {
      description: "Of a virtual model, in the order in which they were to be asked.",
    }),
  ),
  affinity: Type.Optional(
    orNull(
      text(
        "For admins: `pinned` where the conversation was served before, `ranked` where it was " +
          "placed, `moved: ` and why, or `origin`; null where it is of none.",
      ),
    ),
  ),
  waited_ms: Type.Optional(
    whole("For admins: how long it waited for a channel that was back in a moment."),
  ),
  candidates: Type.Optional(
    Type.Array(CandidateView, { description: "For admins, where the first choice did not serve." }),
  ),
});
export type TraceView = Static<typeof TraceView>;

export const LogView = Type.Object({
  time: Type.Number({ description: "Unix seconds, with a fraction." }),
  /** The task's id where the row is a task's. */
  request_id: text(),
  /** A request, or the end of a task that a request before it made. */
  kind: word("request", "task"),
  /** The task that the request made, or that ended. */
  task_id: orNull(text()),
  key_id: text(),
  key_name: text(),
  group: text(),
  route: text(),
  format: text("The format that the route speaks, such as `chat`; otherwise the route."),
  model: text(),
  asked_model: orNull(text("As the client wrote it, where its key has it stand for `model`.")),
  served_model: orNull(text("The member that served, where `model` is a virtual one.")),
  replay_of: orNull(text("The request whose answer it was given again under its key; or null.")),
  label: orNull(text("The request's own word, of its header or its metadata; or null.")),
  status: whole(),
  outcome: text(),
  stream: Type.Boolean(),
  input_tokens: whole(),
  output_tokens: whole(),
  cache_read_tokens: whole(),
  cache_write_tokens: whole(),
  reasoning_tokens: whole(),
  images: Type.Number(),
  /** The length of what was made, of videos and sounds. */
  seconds: Type.Number(),
  estimated: Type.Boolean(),
  micros: moneySchema,
  latency_ms: Type.Number(),
  first_byte_ms: orNull(Type.Number()),
  ip: text(),
  error_code: orNull(text()),
  error_message: withSums(
    orNull(text("What the client was told of its error; null where a vendor said it.")),
  ),
  account: Type.Optional(text("For admins, as are the rest.")),
  error_detail: Type.Optional(
    withSums(orNull(text("More of the error than the client was told; null where that is all."))),
  ),
  account_id: Type.Optional(text("Whose money it is, by which a credit names the account.")),
  channel: Type.Optional(orNull(text())),
  channel_id: Type.Optional(orNull(text())),
  attempts: Type.Optional(whole()),
  cost_micros: Type.Optional(orNull(moneySchema)),
  trace_id: Type.Optional(orNull(text("By which the collector knows its trace; null for none."))),
  tries: Type.Optional(
    Type.Array(AttemptView, { description: "Each attempt, where one request was asked for." }),
  ),
  trace: Type.Optional(TraceView),
});
export type LogView = Static<typeof LogView>;

export const ListedLog = Type.Object({
  ...listFields(LogView),
  /** False when `total` is only what was counted, and there may be more. */
  total_is_exact: Type.Boolean(),
  /** Null at the end of the log. */
  next: orNull(text("The cursor of the next page.")),
  /** Sums of all that was found, on the first page; null where that would take too long. */
  sum: orNull(Type.Object({ ...UsageSums.properties, is_exact: Type.Boolean() })),
});
/** The rows of one id: one of a request; of a task its creation and its end. */
export const LogTrace = Type.Object({ items: Type.Array(LogView) });
export type LogTrace = Static<typeof LogTrace>;
export type ListedLog = Static<typeof ListedLog>;

export const ownLogFilter = {
  ...span,
  model: { schema: text() },
  ...byKey,
  status: { schema: whole() },
  request_id: { schema: text() },
  outcome: {
    schema: word("ok", "client_abort", "rejected", "upstream_error", "gateway_error"),
    description: "`ok`, `client_abort`, `rejected`, `upstream_error` or `gateway_error`.",
  },
  failed: { schema: Type.Boolean(), description: "Only what was refused or failed, or the rest." },
  format: { schema: text(), description: "Of this format only, such as `chat`." },
  error_code: { schema: text(), description: "With this code of the catalogue only." },
  group: { schema: text(), description: "Of this group only." },
  ...byLabel,
  stream: { schema: Type.Boolean(), description: "Only what was streamed, or the rest." },
  attempts_min: { schema: whole(), description: "With so many attempts or more." },
  latency_min: { schema: whole(), description: "That took so many milliseconds or more." },
  micros_min: { schema: money(whole()), description: "That cost so many micros or more." },
};
export const logFilter = { ...ownLogFilter, ...ofOthers };

const ownListing = {
  ...pages,
  ...ownLogFilter,
  cursor: {
    schema: text(),
    description: "The `next` of the page before, instead of `p`.",
    read(cursor: string, name: string) {
      const [, atMs, id = null] = /^(\d{1,15})(?:-([\w-]{1,80}))?$/.exec(cursor) ?? [];
      if (atMs === undefined) throw invalid(name, "must be the next of a page before");
      return { atMs: Number(atMs), id };
    },
  },
};

const { call } = callsOf("Records");

export const logCalls = {
  list: call("GET /api/log", "Read the usage log", {
    permission: "usage.read",
    query: { ...ownListing, ...ofOthers },
    answer: ListedLog,
  }),
  listOwn: call("GET /api/log/self", "Read one's usage log", {
    seats: holders,
    query: ownListing,
    answer: ListedLog,
  }),
  showOwn: call("GET /api/log/self/{id}", "Show one of one's own requests", {
    seats: holders,
    answer: LogTrace,
  }),
  show: call("GET /api/log/{id}", "Show one request with each attempt", {
    permission: "usage.read",
    answer: LogTrace,
  }),
};
export type LogCalls = typeof logCalls;
