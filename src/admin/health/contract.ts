// Health of the models, as it goes over the wire.
import { invalid } from "../../core/errors.ts";
import { orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { everySeat } from "../../identity/role.ts";
import { callsOf } from "../call.ts";

const healthFields = {
  success: Type.Number({ description: "Which part of the requests was served, from 0 to 1." }),
  first_byte_ms: orNull(whole("To the first byte, of half of those that were served.")),
  total_ms: orNull(whole("To the end, of half of those that were served.")),
  cached_share: orNull(
    Type.Number({ description: "Which part of its input came from caches, from 0 to 1." }),
  ),
};

const ModelHealth = Type.Object({
  model: text(),
  ...healthFields,
  days: Type.Array(Type.Object({ day: text("A day of UTC."), ...healthFields }), {
    description: "Those on which it was asked for, oldest first.",
  }),
});

/** Without numbers of requests: it may be for anybody. */
export const ModelsHealth = Type.Object({
  from: text("The first day."),
  to: text("The first day after."),
  items: Type.Array(ModelHealth, { description: "What is asked for most first." }),
});
export type ModelsHealth = Static<typeof ModelsHealth>;

const daysMost = 90;

function parseDays(days: string, name: string): number {
  const number = /^\d{1,2}$/.test(days) ? Number(days) : 0;
  if (number >= 1 && number <= daysMost) return number;
  throw invalid(name, `must be from 1 to ${daysMost}`);
}

const { call } = callsOf("System");

/** Query of any answer about the models' health. */
export const healthQuery = {
  days: { schema: whole(), description: "How many days: 30, at most 90.", read: parseDays },
  model: { schema: text(), description: "This model only." },
};

export const healthCalls = {
  readModels: call("GET /api/health/models", "How the models are doing", {
    wider: "channels.read",
    seats: everySeat,
    description:
      "Admins see all that were asked for; others, where `site.shows_status` is on, those that " +
      "their own group reaches.",
    query: healthQuery,
    answer: ModelsHealth,
  }),
};
export type HealthCalls = typeof healthCalls;
