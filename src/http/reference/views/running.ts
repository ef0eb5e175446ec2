// What the gateway runs with and has done, as the control plane shows it.
import type * as contract from "../../../admin/contract.ts";
import { ChannelInput, PriceInput } from "../../../config/entities.ts";
import { Type } from "../../../core/schema.ts";
import { anyObject, orNull, shapeOf, text, whole, word } from "../operation.ts";
import { listFields, moment, money, rateFields, role, status } from "./basics.ts";

const { key: _key, keys: _keys, format: _format, ...shown } = ChannelInput.properties;
const { concurrency: _concurrency, type: _type, proxy: _proxy, ...said } = shown;

export const channel = Type.Object({
  ...Type.Required(Type.Object(said)).properties,
  id: text(),
  type: text(),
  format: orNull(text()),
  concurrency: orNull(Type.Number()),
  proxy: orNull(text()),
  keys: Type.Array(Type.Object({ last4: text(), status, reason: orNull(text()) })),
  declared: Type.Boolean(),
  health: Type.Object({ ejected: Type.Boolean() }),
  in_flight: whole(),
  created_at: moment,
  updated_at: moment,
});

export const channelTest = shapeOf<contract.ChannelTest>()(
  Type.Object({
    ok: Type.Boolean(),
    checked: word("answer", "key", "address"),
    status: orNull(whole()),
    latency_ms: Type.Number(),
    message: text(),
    model: text(),
    key: whole("Which of the channel's keys was used, from 0."),
  }),
);

export const group = shapeOf<contract.GroupView>()(
  Type.Object({
    name: text(),
    multiplier: Type.Number(),
    declared: Type.Boolean(),
    ...rateFields,
  }),
);

export const price = Type.Object({
  ...PriceInput.properties,
  source: word("own", "catalogue"),
  declared: Type.Boolean(),
});

const sumFields = {
  requests: whole(),
  failures: whole(),
  input_tokens: whole(),
  output_tokens: whole(),
  cache_read_tokens: whole(),
  cache_write_tokens: whole(),
  reasoning_tokens: whole(),
  images: Type.Number(),
  seconds: Type.Number(),
  micros: money,
};

const usage = shapeOf<contract.UsageView>()(
  Type.Object({
    ...sumFields,
    day: Type.Optional(text("A day of UTC.")),
    model: Type.Optional(text()),
    key_id: Type.Optional(text()),
    key_name: Type.Optional(text()),
    account: Type.Optional(text()),
    channel_id: Type.Optional(text()),
    channel: Type.Optional(orNull(text())),
  }),
);

export const usageList = shapeOf<contract.ListedUsage>()(
  Type.Object({
    ...listFields(usage),
    from: text(),
    to: text("The first day after."),
    sum: Type.Object(sumFields),
  }),
);

const taskFields = {
  id: text(),
  kind: word("video", "image"),
  key_id: text(),
  group: text(),
  family: text(),
  model: text(),
  state: word("submitting", "unknown", "queued", "in_progress", "completed", "failed"),
  progress: Type.Number(),
  held_micros: money,
  micros: orNull(money),
  error: orNull(Type.Object({ code: text(), message: text() })),
  webhook_url: orNull(text()),
  created_at: moment,
  deadline_at: moment,
  completed_at: orNull(moment),
  deleted_at: orNull(moment),
};

export const ownTask = shapeOf<contract.OwnTaskView>()(Type.Object(taskFields));
export const task = shapeOf<contract.TaskView>()(
  Type.Object({
    ...taskFields,
    account: text(),
    channel_id: text(),
    channel: orNull(text()),
    upstream_model: text(),
    loss_micros: orNull(money),
  }),
);

const deliveryFields = {
  id: text(),
  task_id: text(),
  event: text(),
  url: text(),
  attempts: whole(),
  status: orNull(whole()),
  error: orNull(text()),
  created_at: moment,
  next_attempt_at: orNull(moment),
  delivered_at: orNull(moment),
};

export const ownDelivery = shapeOf<contract.OwnDeliveryView>()(Type.Object(deliveryFields));
export const delivery = shapeOf<contract.WebhookDeliveryView>()(
  Type.Object({ ...deliveryFields, account: text() }),
);

export const webhookSecret = shapeOf<contract.WebhookSecret>()(
  Type.Object({ secret: text(), overlaps: Type.Boolean() }),
);

const redemptionFields = {
  id: text(),
  shown: text("Enough to recognise the code by."),
  name: text(),
  micros: money,
  status: word("open", "expired", "redeemed"),
  expires_at: orNull(moment),
  created_at: moment,
  redeemed_by: orNull(text()),
  redeemed_at: orNull(moment),
};

export const redemption = shapeOf<contract.RedemptionView>()(Type.Object(redemptionFields));
export const createdRedemption = shapeOf<contract.CreatedRedemption>()(
  Type.Object({ ...redemptionFields, code: text("The full text, shown this once.") }),
);
export const redeemed = shapeOf<contract.RedeemedView>()(
  Type.Object({ micros: money, quota_micros: orNull(money) }),
);

export const announcement = shapeOf<contract.AnnouncementView>()(
  Type.Object({
    id: text(),
    title: text(),
    text: text(),
    starts_at: orNull(moment),
    ends_at: orNull(moment),
    created_at: moment,
    updated_at: moment,
  }),
);

export const auditEntry = Type.Object({
  id: text(),
  at: moment,
  actor: orNull(text()),
  actor_id: orNull(text()),
  actor_role: orNull(role),
  carrier: word("session", "token", "visitor", "cli", "config"),
  ip: orNull(text()),
  action: text("Such as user.credit."),
  target_kind: text(),
  target_id: text(),
  changes: anyObject,
});

export const systemStatus = shapeOf<contract.StatusView>()(
  Type.Object({
    version: text(),
    uptime_seconds: Type.Number(),
    channels: Type.Object({ enabled: whole(), ejected: whole() }),
    journal: Type.Object({ queue: whole(), oldest_ms: Type.Number() }),
    accepts_paid_work: Type.Boolean(),
    obstacles: Type.Array(text()),
  }),
);
