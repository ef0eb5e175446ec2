// Captures of requests as they go over the wire, and their calls.
import { orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { everySeat, holders } from "../../identity/role.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, removed } from "../contract/basics.ts";

export const CaptureInput = Type.Object(
  {
    key: Type.Optional(Type.String({ description: "Of this key only, by its id." })),
    model: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "Of this model only." }),
    ),
    channel: Type.Optional(
      Type.String({ description: "Of what goes to this channel only, by its id; for admins." }),
    ),
    requests: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 20, default: 1, description: "So many at most." }),
    ),
    minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 15, default: 15, description: "So long at most." }),
    ),
  },
  { additionalProperties: false },
);
export type CaptureInput = Static<typeof CaptureInput>;

export const CaptureView = Type.Object({
  id: text(),
  account: orNull(text("Whose requests; null for everyone's.")),
  key_id: orNull(text("Of this key only.")),
  key_name: orNull(text()),
  model: orNull(text("Of this model only.")),
  channel: orNull(text("Of what goes to this channel only; not told to members.")),
  requests: whole("So many requests at most."),
  taken: whole("How many were captured; to members of everyone's, how many of their own."),
  until: momentSchema,
  is_on: Type.Boolean({ description: "Whether the next request that fits is captured." }),
  may_end: Type.Boolean({ description: "Whether you may end it and delete what it kept." }),
  by: text("Who wants to see them."),
  created_at: momentSchema,
});
export type CaptureView = Static<typeof CaptureView>;

export const ContentView = Type.Object({
  request_id: text(),
  captured_at: momentSchema,
  expires_at: Type.Integer({ description: "When it is deleted. Unix seconds." }),
  request: text("What the client sent, in JSON, redacted."),
  answer: orNull(text("What the client got, redacted; null where nothing came.")),
  cut: Type.Boolean({ description: "Whether some of it was too long to be kept." }),
  upstream: Type.Optional(
    Type.Union(
      [
        Type.Object({
          channel: text(),
          request: text("What the upstream got in the last attempt, redacted."),
          answer: orNull(text("What it answered; null where the client got just that.")),
        }),
        Type.Null(),
      ],
      { description: "The other side, for admins; null where nothing was sent." },
    ),
  ),
});
export type ContentView = Static<typeof ContentView>;

const { call, list } = callsOf("Records");

export const captureCalls = {
  list: list("GET /api/capture", "List what is captured of requests, and for whom", {
    seats: everySeat,
    item: CaptureView,
    filter: {},
  }),
  create: call("POST /api/capture", "Capture the contents of the next few requests", {
    seats: holders,
    description:
      "Of text, for a few minutes, redacted as `content_log.redact` says, and deleted after a " +
      "day. People capture their own requests, a member of an organisation those of a key that " +
      "it made there; admins name a key, a model or a channel. Whoever it concerns sees it in " +
      "the list.",
    body: bodyOf(CaptureInput, { model: "example-model", requests: 3 }),
    answer: CaptureView,
  }),
  remove: call("DELETE /api/capture/{id}", "End a capture and delete what it kept", {
    seats: holders,
    description:
      "For who ordered it, whose requests alone it takes, root, and an admin where a member " +
      "ordered it.",
    answer: removed,
  }),
  readOwn: call(
    "GET /api/log/self/{id}/content",
    "Read the captured content of one's own request",
    {
      seats: holders,
      answer: ContentView,
    },
  ),
  read: call("GET /api/log/{id}/content", "Read the captured content of a request", {
    permission: "contents.read",
    description: "Of somebody else's request it leaves a line in the audit log.",
    answer: ContentView,
  }),
};
export type CaptureCalls = typeof captureCalls;
