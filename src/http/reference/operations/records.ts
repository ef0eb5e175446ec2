// What has happened: logs, usage, tasks, callbacks, and what an operator tells people.
import { announcementChecker } from "../../../admin/announcement/fields.ts";
import { redemptionChecker } from "../../../admin/redemption/create.ts";
import { redeemChecker } from "../../../admin/redemption/redeem.ts";
import { Type } from "../../../core/schema.ts";
import { text, whole, word, type Operations, type Parameter } from "../operation.ts";
import { listOf, pages, removed } from "../views/basics.ts";
import { logList } from "../views/log.ts";
import * as running from "../views/running.ts";

const tag = "Records";

const span: Readonly<Record<string, Parameter>> = {
  from: { schema: text(), description: "Unix seconds, or a day." },
  to: { schema: text(), description: "The first moment after." },
};
const logFilter: Readonly<Record<string, Parameter>> = {
  ...pages,
  ...span,
  model: { schema: text() },
  key: { schema: text(), description: "By id." },
  status: { schema: whole() },
  request_id: { schema: text() },
  cursor: { schema: text(), description: "The `next` of the page before, instead of `p`." },
};
const usageFilter: Readonly<Record<string, Parameter>> = {
  ...pages,
  ...span,
  by: { schema: text(), description: "Some of day, model, key; for admins also account, channel." },
  model: { schema: text() },
  key: { schema: text() },
};
const ofOthers: Readonly<Record<string, Parameter>> = {
  account: { schema: text(), description: "By user name." },
  channel: { schema: text(), description: "By name or id." },
};
const taskFilter: Readonly<Record<string, Parameter>> = {
  ...pages,
  model: { schema: text() },
  state: { schema: text() },
  kind: { schema: word("video", "image") },
};
const callFilter = { ...pages, task: { schema: text() } };

const subscription = Type.Object({
  object: Type.Literal("billing_subscription"),
  has_payment_method: Type.Boolean(),
  soft_limit_usd: Type.Number(),
  hard_limit_usd: Type.Number(),
  system_hard_limit_usd: Type.Number(),
  access_until: whole("Unix seconds; 0 when the key does not expire."),
});

const billed = Type.Object({
  object: Type.Literal("list"),
  total_usage: Type.Number({ description: "In cents." }),
  daily_costs: Type.Array(
    Type.Object({
      timestamp: Type.Number(),
      line_items: Type.Array(Type.Object({ name: text(), cost: Type.Number() })),
    }),
  ),
});

const days = {
  start_date: { schema: text("Such as 2026-11-01.") },
  end_date: { schema: text("The first day after.") },
};

function billing(base: string): Operations {
  return {
    [`GET ${base}/subscription`]: {
      tag: "Billing",
      summary: "What the key, or its account, may spend",
      answer: subscription,
    },
    [`GET ${base}/usage`]: {
      tag: "Billing",
      summary: "What the key, or its account, has spent",
      query: days,
      answer: billed,
    },
  };
}

export const recordOperations: Operations = {
  ...billing("/dashboard/billing"),
  ...billing("/v1/dashboard/billing"),
  "GET /api/log": {
    tag,
    summary: "Read the usage log",
    query: { ...logFilter, ...ofOthers },
    answer: logList,
  },
  "GET /api/log/self": { tag, summary: "Read one's usage log", query: logFilter, answer: logList },
  "GET /api/usage": {
    tag,
    summary: "Sum up what was used",
    query: { ...usageFilter, ...ofOthers },
    answer: running.usageList,
  },
  "GET /api/usage/self": {
    tag,
    summary: "Sum up what one has used",
    query: usageFilter,
    answer: running.usageList,
  },
  "GET /api/task": {
    tag,
    summary: "List tasks",
    query: { ...taskFilter, account: { schema: text() } },
    answer: listOf(running.task),
  },
  "GET /api/task/self": {
    tag,
    summary: "List one's tasks",
    query: taskFilter,
    answer: listOf(running.ownTask),
  },
  "GET /api/webhook": {
    tag,
    summary: "List callbacks",
    query: callFilter,
    answer: listOf(running.delivery),
  },
  "GET /api/webhook/self": {
    tag,
    summary: "List one's callbacks",
    query: callFilter,
    answer: listOf(running.ownDelivery),
  },
  "GET /api/webhook-secret": {
    tag: "Own account",
    summary: "Read what one's callbacks are signed with",
    answer: running.webhookSecret,
  },
  "POST /api/webhook-secret": {
    tag: "Own account",
    summary: "Have callbacks signed with a new secret",
    answer: running.webhookSecret,
  },
  "GET /api/audit": {
    tag,
    summary: "Read the audit log",
    query: {
      ...pages,
      ...span,
      actor: { schema: text() },
      action: { schema: text() },
      carrier: { schema: text() },
      target_kind: { schema: text() },
      target_id: { schema: text() },
    },
    answer: listOf(running.auditEntry),
  },
  "GET /api/redemption": {
    tag: "Redemption codes",
    summary: "List redemption codes",
    query: pages,
    answer: listOf(running.redemption),
  },
  "POST /api/redemption": {
    tag: "Redemption codes",
    summary: "Create redemption codes",
    description: "The answer is the only time that they are seen.",
    body: {
      schema: redemptionChecker.schema,
      example: { name: "November", micros: 1_000_000, count: 2 },
    },
    answer: Type.Object({ items: Type.Array(running.createdRedemption) }),
  },
  "DELETE /api/redemption/{id}": {
    tag: "Redemption codes",
    summary: "Delete a redemption code",
    answer: removed,
  },
  "POST /api/redemption/redeem": {
    tag: "Redemption codes",
    summary: "Redeem a code",
    body: { schema: redeemChecker.schema, example: { code: "rc-example" } },
    answer: running.redeemed,
  },
  "GET /api/announcement": {
    tag: "Announcements",
    summary: "Read what is announced",
    query: { ...pages, all: { schema: word("true"), description: "For admins." } },
    answer: listOf(running.announcement),
  },
  "POST /api/announcement": {
    tag: "Announcements",
    summary: "Announce something",
    body: {
      schema: announcementChecker.schema,
      example: { title: "Maintenance", text: "Ten minutes on Sunday." },
    },
    answer: running.announcement,
  },
  "PATCH /api/announcement/{id}": {
    tag: "Announcements",
    summary: "Change what is announced",
    body: { schema: Type.Partial(announcementChecker.schema), example: { title: "Short break" } },
    answer: running.announcement,
  },
  "DELETE /api/announcement/{id}": {
    tag: "Announcements",
    summary: "Announce it no more",
    answer: removed,
  },
  "GET /api/status": {
    tag: "System",
    summary: "How the gateway is doing",
    answer: running.systemStatus,
  },
};
