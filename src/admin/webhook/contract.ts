// Callbacks, and what they are signed with, as they go over the wire.
import { orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { leaders } from "../../identity/role.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, shownTo } from "../contract/basics.ts";

const deliveryFields = {
  id: text(),
  task_id: text(),
  event: text(),
  url: text(),
  attempts: whole(),
  /** Status of the last answer; null when none came. */
  status: orNull(whole()),
  error: orNull(text()),
  created_at: momentSchema,
  /** Null when it is delivered or given up. */
  next_attempt_at: orNull(momentSchema),
  delivered_at: orNull(momentSchema),
};

/** A delivery as its owner sees it. */
export const OwnDeliveryView = Type.Object(deliveryFields);
export type OwnDeliveryView = Static<typeof OwnDeliveryView>;

export const WebhookDeliveryView = Type.Object({ ...deliveryFields, account: text() });
export type WebhookDeliveryView = Static<typeof WebhookDeliveryView>;

export const WebhookSecret = Type.Object({
  secret: text(),
  /** True while calls also have the signature of the secret before. */
  overlaps: Type.Boolean(),
});
export type WebhookSecret = Static<typeof WebhookSecret>;

export const WebhookTryView = Type.Object({
  at: momentSchema,
  took_ms: whole("How long the answer took."),
  status: orNull(whole("Of the answer; null where none came.")),
  error: orNull(text("Why none came.")),
});
export type WebhookTryView = Static<typeof WebhookTryView>;

const detailFields = {
  body: shownTo("contents.read", text("What is sent, as it is signed.")),
  headers: Type.Record(Type.String(), Type.String(), {
    description: "What goes with every try; each also has its own time and signature.",
  }),
  tries: Type.Array(WebhookTryView, { description: "The latest, the oldest of them first." }),
};

export const OwnDeliveryDetail = Type.Object({ ...deliveryFields, ...detailFields });
export type OwnDeliveryDetail = Static<typeof OwnDeliveryDetail>;

export const DeliveryDetail = Type.Object({ ...WebhookDeliveryView.properties, ...detailFields });
export type DeliveryDetail = Static<typeof DeliveryDetail>;

const WebhookTestInput = Type.Object(
  { url: Type.String({ minLength: 1, maxLength: 8192, description: "Where to send it." }) },
  { additionalProperties: false },
);

export const WebhookTestView = Type.Object({
  ...WebhookTryView.properties,
  body: detailFields.body,
  headers: detailFields.headers,
});
export type WebhookTestView = Static<typeof WebhookTestView>;

const records = callsOf("Records");
const own = callsOf("Own account");
const filter = { task: { schema: text() } };

/** Callbacks as they are on record. */
export const deliveryCalls = {
  list: records.list("GET /api/webhook", "List callbacks", {
    permission: "usage.read",
    item: WebhookDeliveryView,
    filter,
  }),
  listOwn: records.list("GET /api/webhook/self", "List one's callbacks", {
    seats: leaders,
    item: OwnDeliveryView,
    filter,
  }),
};
export type DeliveryCalls = typeof deliveryCalls;

export const webhookCalls = {
  test: own.call("POST /api/webhook/test", "Send a test to a callback's address", {
    seats: leaders,
    description: "Signed with one's own secret, sent once, and answered with what came of it.",
    body: bodyOf(WebhookTestInput, { url: "https://example.com/hook" }),
    answer: WebhookTestView,
  }),
  showOwn: records.call("GET /api/webhook/self/{id}", "Show one of one's callbacks", {
    seats: leaders,
    answer: OwnDeliveryDetail,
  }),
  replayOwn: records.call(
    "POST /api/webhook/self/{id}/replay",
    "Send one of one's callbacks again",
    { seats: leaders, answer: OwnDeliveryDetail },
  ),
  show: records.call("GET /api/webhook/{id}", "Show a callback with its tries", {
    permission: "usage.read",
    answer: DeliveryDetail,
  }),
  replay: records.call("POST /api/webhook/{id}/replay", "Send a callback again", {
    permission: "requests.end",
    answer: DeliveryDetail,
  }),
};
export type WebhookCalls = typeof webhookCalls;

export const webhookSecretCalls = {
  read: own.call("GET /api/webhook-secret", "Read what one's callbacks are signed with", {
    seats: leaders,
    showsSecret: true,
    answer: WebhookSecret,
  }),
  rotate: own.call("POST /api/webhook-secret", "Have callbacks signed with a new secret", {
    seats: leaders,
    answer: WebhookSecret,
  }),
};
export type WebhookSecretCalls = typeof webhookSecretCalls;
