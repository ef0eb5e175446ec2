// Tasks as they go over the wire: work that a vendor does while nobody waits.
import { orNull, text, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema, moneySchema } from "../contract/basics.ts";

const taskFields = {
  id: text(),
  kind: word("video", "image"),
  key_id: text(),
  group: text(),
  family: text(),
  model: text(),
  state: word("submitting", "unknown", "queued", "in_progress", "completed", "failed"),
  /** Percent. */
  progress: Type.Number(),
  /** What is held for it until it has ended. */
  held_micros: moneySchema,
  /** What it was charged; null until it has ended. */
  micros: orNull(moneySchema),
  error: orNull(Type.Object({ code: text(), message: text() })),
  webhook_url: orNull(text()),
  created_at: momentSchema,
  /** When it has failed unless it has ended before. */
  deadline_at: momentSchema,
  completed_at: orNull(momentSchema),
  deleted_at: orNull(momentSchema),
};

/** A task as its owner sees it: nothing of where it runs. */
export const OwnTaskView = Type.Object(taskFields);
export type OwnTaskView = Static<typeof OwnTaskView>;

export const TaskView = Type.Object({
  ...taskFields,
  account: text(),
  channel_id: text(),
  /** Null when the channel is gone. */
  channel: orNull(text()),
  upstream_model: text(),
  /** What the vendor may charge all the same. */
  loss_micros: orNull(moneySchema),
});
export type TaskView = Static<typeof TaskView>;
