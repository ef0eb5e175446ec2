// Tasks as they go over the wire: work that a vendor does while nobody waits.
import type { JsonObject } from "../../core/json.ts";
import { anyObject, orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { holders } from "../../identity/role.ts";
import { callsOf } from "../call.ts";
import { momentSchema, money, moneySchema, removed, shownTo } from "../contract/basics.ts";
import { byAccount } from "../search.ts";
import { OwnDeliveryView } from "../webhook/contract.ts";

export const ResultView = Type.Object({
  url: text("A signed link below the address of the gateway, which works for a while."),
  thumbnail_url: orNull(text("The same at a width of 320; null of what is no picture.")),
  type: text("The media type."),
  bytes: whole("How large the file is."),
  width: orNull(whole("In pixels; null where it is not known.")),
  height: orNull(whole("In pixels; null where it is not known.")),
});
export type ResultView = Static<typeof ResultView>;

const states = ["submitting", "unknown", "queued", "in_progress", "completed", "failed"] as const;
const kindSchema = word("video", "image");

const taskFields = {
  id: text(),
  kind: kindSchema,
  key_id: text(),
  group: text(),
  family: text(),
  model: text(),
  preview: shownTo(
    "contents.read",
    Type.Union([ResultView, Type.Null()], {
      description:
        "The first of its results, so that a list can show it; null where there is none.",
    }),
  ),
  state: word(...states),
  /** Percent. */
  progress: Type.Number(),
  /** Micros held for it until it has ended. */
  held_micros: moneySchema,
  /** Micros that it was charged; null until it has ended. */
  micros: orNull(moneySchema),
  error: orNull(Type.Object({ code: text(), message: text() })),
  webhook_url: orNull(text()),
  created_at: momentSchema,
  /** Moment at which it has failed unless it has ended before. */
  deadline_at: momentSchema,
  completed_at: orNull(momentSchema),
  deleted_at: orNull(momentSchema),
};

/** A task as its owner sees it: nothing of where it runs. */
export const OwnTaskView = Type.Object(taskFields);
export type OwnTaskView = Static<typeof OwnTaskView>;

export const StateView = Type.Object({ state: word(...states, "deleted"), at: momentSchema });
export type StateView = Static<typeof StateView>;

/** For those who may read what others asked for. */
const content = (schema: object) =>
  shownTo("contents.read", Type.Unsafe<JsonObject>({ ...anyObject, ...schema }));

const detailFields = {
  key_name: orNull(text("The key's name, also when it was revoked.")),
  asked: content({
    description: "The job in neutral words, without the bytes of its media.",
  }),
  shown: content({ description: "The task as its own route shows it." }),
  again: Type.Union(
    [
      Type.Object({
        body: content({ description: "What asks for the same once more." }),
        lacks: Type.Array(text(), { description: "What it cannot say of it, such as files." }),
      }),
      Type.Null(),
    ],
    { description: "How the same is asked for once more; null where that is not known." },
  ),
  price: money(
    Type.Unsafe<JsonObject>({ ...anyObject, description: "The price that it was held at." }),
  ),
  states: Type.Array(StateView, { description: "The states whose moment is kept." }),
  results: shownTo(
    "contents.read",
    Type.Array(ResultView, { description: "What came of it, as long as it is kept." }),
  ),
  callbacks: Type.Array(OwnDeliveryView, { description: "Whom it was told." }),
};

export const OwnTaskDetail = Type.Object({ ...taskFields, ...detailFields });
export type OwnTaskDetail = Static<typeof OwnTaskDetail>;

export const TaskView = Type.Object({
  ...taskFields,
  account: text(),
  channel_id: text(),
  /** Null when the channel is gone. */
  channel: orNull(text()),
  upstream_model: text(),
  /** Micros that the vendor may bill all the same. */
  loss_micros: orNull(moneySchema),
});
export type TaskView = Static<typeof TaskView>;

export const TaskDetail = Type.Object({
  ...TaskView.properties,
  ...detailFields,
  operation: orNull(text("How its vendor finds it again.")),
  next_poll_at: orNull(whole("When its vendor is asked again.")),
  lease_until: orNull(whole("Until when no other process may take it over.")),
});
export type TaskDetail = Static<typeof TaskDetail>;

const filter = {
  model: { schema: text() },
  state: { schema: word(...states) },
  kind: { schema: kindSchema },
};

const { call, list } = callsOf("Records");

export const taskCalls = {
  list: list("GET /api/task", "List tasks", {
    permission: "usage.read",
    item: TaskView,
    filter: { ...filter, ...byAccount },
  }),
  listOwn: list("GET /api/task/self", "List one's tasks", {
    seats: holders,
    item: OwnTaskView,
    filter,
  }),
  showOwn: call("GET /api/task/self/{id}", "Show one of one's tasks", {
    seats: holders,
    answer: OwnTaskDetail,
  }),
  cancelOwn: call("POST /api/task/self/{id}/cancel", "Cancel one of one's tasks", {
    seats: holders,
    answer: OwnTaskDetail,
  }),
  removeOwn: call("DELETE /api/task/self/{id}", "Delete one of one's tasks", {
    seats: holders,
    answer: removed,
  }),
  show: call("GET /api/task/{id}", "Show a task with its results", {
    permission: "usage.read",
    answer: TaskDetail,
  }),
  cancel: call("POST /api/task/{id}/cancel", "Cancel a task that runs", {
    permission: "requests.end",
    description: "It fails, is paid back, and its callback is told, where its vendor stops it.",
    answer: TaskDetail,
  }),
  remove: call("DELETE /api/task/{id}", "Delete a task that has ended", {
    permission: "requests.end",
    answer: removed,
  }),
};
export type TaskCalls = typeof taskCalls;
