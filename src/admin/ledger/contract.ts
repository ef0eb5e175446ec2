// The ledger as it goes over the wire: its lines, what is held, how an account adds up, and
// whether all of it does.
import { invalid } from "../../core/errors.ts";
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import { anyObject, orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { everySeat, overseers } from "../../identity/role.ts";
import { callsOf } from "../call.ts";
import { listFields, momentSchema, moneySchema, pages } from "../contract/basics.ts";
import { byAccount, byKey } from "../search.ts";
import { span } from "../span.ts";

const entryKindSchema = word("grant", "post", "void");
const holdKindSchema = word("request", "task");

const entryFields = {
  id: text("Of the request or task, or of the credit as it was sent or made for it."),
  kind: Type.Unsafe<"grant" | "post" | "void">({
    ...entryKindSchema,
    description: "Credit that came or went, a charge, or a hold that was given back whole.",
  }),
  at: momentSchema,
  /** Below 0 where credit was taken back. */
  micros: Type.Integer({ description: "What was given, or charged, in micros." }),
  held_micros: whole("What had been held for it."),
  given_back_micros: whole("What of the hold was not charged."),
  key_id: orNull(text("The key that it was called with, by its id.")),
  key_name: orNull(text("Its name, also when it was revoked.")),
  group: orNull(text("The group that it was called in.")),
  model: orNull(text("The model that was asked for.")),
  price: orNull(text("The price as it stood when it was held, in picos.")),
  usage: orNull(text("What it was charged by; `~` marks an estimate, `!` what was clamped.")),
  reason: orNull(text("Why there is this line, where one was named.")),
};

export const OwnLedgerView = Type.Object(entryFields);
export type OwnLedgerView = Static<typeof OwnLedgerView>;

export const LedgerView = Type.Object({
  ...entryFields,
  loss_micros: whole("What the vendor may charge that nobody paid for."),
  account: text("The user name of whose money it is."),
  actor: orNull(text("Who booked it.")),
});
export type LedgerView = Static<typeof LedgerView>;

const placeFields = {
  total_is_exact: Type.Boolean({ description: "False where there may be more." }),
  next: orNull(text("What to send as `cursor` for the next page.")),
};

export const ListedLedger = Type.Object({ ...listFields(LedgerView), ...placeFields });
export type ListedLedger = Static<typeof ListedLedger>;

export const ListedOwnLedger = Type.Object({ ...listFields(OwnLedgerView), ...placeFields });
export type ListedOwnLedger = Static<typeof ListedOwnLedger>;

/** Money that came or went by hand, by a code or at the beginning. */
export const KeptCreditView = Type.Object({
  id: text("As it was sent with the credit, or made for it."),
  kind: Type.Literal("grant"),
  at: momentSchema,
  micros: moneySchema,
  reason: orNull(text()),
});
export type KeptCreditView = Static<typeof KeptCreditView>;

export const HoldView = Type.Object({
  id: text("Of the request or task that it is held for."),
  kind: holdKindSchema,
  account: text(),
  key_id: text(),
  group: text(),
  model: text(),
  micros: moneySchema,
  price: text("In picos."),
  created_at: momentSchema,
  age_seconds: whole("For how long it has been held."),
});
export type HoldView = Static<typeof HoldView>;

export const ListedHolds = Type.Object({
  ...listFields(HoldView),
  micros: whole("What all of them hold together."),
});
export type ListedHolds = Static<typeof ListedHolds>;

const sumOf = (description: string) =>
  Type.Object({ count: whole("How many there are."), micros: moneySchema }, { description });

export const BalanceView = Type.Object({
  account: text(),
  unlimited: Type.Boolean({ description: "Whether it may spend more than it has." }),
  granted_micros: whole("All that was given, less what was taken back."),
  available_micros: whole("What can be spent."),
  held_micros: whole("What is held for what runs now."),
  spent_micros: whole("What was charged."),
  adds_up: Type.Boolean({
    description: "Granted is available, held and spent, and each is the sum of its own lines.",
  }),
  grants: sumOf("Lines of credit."),
  posts: sumOf("Lines of charges."),
  voids: sumOf("Holds that were given back whole, and what they had held."),
  holds: sumOf("What is held now."),
});
export type BalanceView = Static<typeof BalanceView>;

export const VerdictView = Type.Object({
  ok: Type.Boolean({ description: "Whether every invariant holds." }),
  at: momentSchema,
  took_ms: whole("How long it took."),
  rows: Type.Object({
    accounts: whole("Balances of accounts."),
    keys: whole("Balances of keys."),
    holds: whole("Open holds."),
    entries: whole("Lines of the ledger."),
  }),
  invariants: Type.Array(
    Type.Object({
      name: text("What must be true."),
      holds: Type.Boolean({ description: "Whether it is." }),
      violations: Type.Array(anyObject, { description: "Rows that break it, some of them." }),
    }),
    { description: "Each thing that must be true." },
  ),
});
export type VerdictView = Static<typeof VerdictView>;

export const ownLedgerFilter = {
  ...span,
  kind: { schema: entryKindSchema },
  ...byKey,
  id: { schema: text(), description: "Of the request, task or credit." },
};
export const ledgerFilter = {
  ...ownLedgerFilter,
  ...byAccount,
  loss: { schema: word("true"), description: "Only what was, or may have been, lost." },
};

const paged = {
  ...pages,
  cursor: {
    schema: text(),
    description: "The `next` of the page before, instead of `p`.",
    read(cursor: string, name: string) {
      const [, atMs, id] = /^(\d{1,15})-(.{1,200})$/.exec(cursor) ?? [];
      if (atMs === undefined || id === undefined) {
        throw invalid(name, "must be the next of a page before");
      }
      return { atMs: Number(atMs), id };
    },
  },
};

const tag = "Ledger";
const { call } = callsOf(tag);

export const ledgerCalls = {
  list: call("GET /api/ledger", "Read the ledger", {
    permission: "money.read",
    query: { ...paged, ...ledgerFilter },
    answer: ListedLedger,
  }),
  listOwn: call("GET /api/ledger/self", "Read the ledger of one's account", {
    seats: everySeat,
    query: { ...paged, ...ownLedgerFilter },
    answer: ListedOwnLedger,
  }),
  holds: call("GET /api/hold", "List what is held", {
    permission: "money.read",
    query: { ...pages, ...byAccount, kind: { schema: holdKindSchema } },
    answer: ListedHolds,
  }),
};
export type LedgerCalls = typeof ledgerCalls;

export const booksCalls = {
  balance: call("GET /api/user/{id}/balance", "Show how an account adds up", {
    permission: "money.read",
    description: "Granted is available, held and spent. Each term is shown with its own lines.",
    answer: BalanceView,
  }),
  ownBalance: call("GET /api/user/self/balance", "Show how one's account adds up", {
    seats: overseers,
    answer: BalanceView,
  }),
  verdict: call("GET /api/ledger/verify", "Read the last verdict on the books", {
    permission: "money.read",
    answer: orNull(VerdictView),
  }),
  verify: call("POST /api/ledger/verify", "Verify the books", {
    permission: "money.read",
    description:
      "What `sluice ledger verify` checks, by a thread of its own. Who asks while it is being " +
      "done gets the same verdict.",
    answer: VerdictView,
  }),
};
export type BooksCalls = typeof booksCalls;

export const ledgerCsvEntry: ReferenceEntry = {
  tag,
  summary: "Read the ledger as CSV",
  description: "At most a million lines, the newest first.",
  query: ledgerFilter,
  answer: { type: "text/csv", description: "A line for each entry, under the names of columns." },
};
