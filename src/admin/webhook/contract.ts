// Callbacks, and what they are signed with, as they go over the wire.
import { orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema } from "../contract/basics.ts";

const deliveryFields = {
  id: text(),
  task_id: text(),
  event: text(),
  url: text(),
  attempts: whole(),
  /** Of the last answer; null when none came. */
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
  body: text("What is sent, as it is signed."),
  headers: Type.Record(Type.String(), Type.String(), {
    description: "What goes with every try; each also has its own time and signature.",
  }),
  tries: Type.Array(WebhookTryView, { description: "The latest, the oldest of them first." }),
};

export const OwnDeliveryDetail = Type.Object({ ...deliveryFields, ...detailFields });
export type OwnDeliveryDetail = Static<typeof OwnDeliveryDetail>;

export const DeliveryDetail = Type.Object({ ...WebhookDeliveryView.properties, ...detailFields });
export type DeliveryDetail = Static<typeof DeliveryDetail>;

export const WebhookTestInput = Type.Object(
  { url: Type.String({ minLength: 1, maxLength: 8192, description: "Where to send it." }) },
  { additionalProperties: false },
);

export const WebhookTestView = Type.Object({
  ...WebhookTryView.properties,
  body: detailFields.body,
  headers: detailFields.headers,
});
export type WebhookTestView = Static<typeof WebhookTestView>;
