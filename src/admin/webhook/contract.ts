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
