// The statement of a month: what an account had, what came, where it went, and what is left.
import { invalid } from "../../core/errors.ts";
import { orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { overseers } from "../../identity/role.ts";
import { callsOf } from "../call.ts";
import { momentSchema } from "../contract/basics.ts";

const micros = (description: string) => Type.Integer({ description });

const StatementLine = Type.Object({
  model: orNull(text("The model that was asked for.")),
  key_id: orNull(text("The key that it was called with, by its id.")),
  key_name: orNull(text("Its name, also when it was revoked.")),
  charges: whole("How many charges there were."),
  micros: micros("What they come to."),
});
export type StatementLine = Static<typeof StatementLine>;

const StatementCredit = Type.Object({
  id: text("As it was sent with the credit, or made for it."),
  at: momentSchema,
  micros: micros("Below 0 where credit was taken back."),
  reason: orNull(text("Why, where it was said.")),
});

export const StatementView = Type.Object({
  account: text("Its user name."),
  month: text("Such as 2026-11, in UTC."),
  from: momentSchema,
  to: whole("The first second after, in Unix seconds."),
  is_over: Type.Boolean({ description: "False where more may still come." }),
  opening_micros: micros("What was there when it began; what is held counts as there."),
  granted_micros: micros("Credit that came, less what was taken back."),
  spent_micros: micros("What was charged."),
  closing_micros: micros("Opening and granted, less spent."),
  credits: Type.Array(StatementCredit, { description: "The newest 1,000, oldest first." }),
  lines: Type.Array(StatementLine, { description: "Charges by model and key, dearest first." }),
});
export type StatementView = Static<typeof StatementView>;

export interface Month {
  name: string;
  fromMs: number;
  toMs: number;
}

/** A month of UTC, such as 2026-11. */
function parseMonth(name: string, param: string): Month {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(name) ?? [];
  if (year === undefined || Number(year) < 1970) {
    throw invalid(param, "must be a month such as 2026-11");
  }
  const at = (months: number) => Date.UTC(Number(year), Number(month) - 1 + months, 1);
  return { name, fromMs: at(0), toMs: at(1) };
}

const filter = {
  month: {
    schema: text(),
    description: "Such as 2026-11, in UTC; the one that runs unless said.",
    read: parseMonth,
  },
};

const { call } = callsOf("Ledger");

export const statementCalls = {
  read: call("GET /api/statement", "Read the statement of an account", {
    permission: "money.read",
    query: {
      ...filter,
      account: { schema: text(), description: "By user name or id.", isRequired: true },
    },
    answer: StatementView,
  }),
  readOwn: call("GET /api/statement/self", "Read the statement of one's account", {
    seats: overseers,
    query: filter,
    answer: StatementView,
  }),
};
export type StatementCalls = typeof statementCalls;
