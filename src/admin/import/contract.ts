// Rows from another program's database, in neutral words. Whoever reads such a database yields
// these; nothing here knows whose it was. Every row names itself by the id it had there.
import { perMinuteMax } from "../../core/rate/bucket.ts";
import { isAddressOrNetwork, labelName, name } from "../../config/fields.ts";
import { budgetFields } from "../../config/budget.ts";
import { ChannelInput, GroupInput, PriceInput } from "../../config/entities.ts";
import { anyObject, orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, moneySchema, plainTextSchema, statusSchema } from "../contract/basics.ts";
import { creditMicrosMax, usernameField } from "../user/fields.ts";

const closed = { additionalProperties: false } as const;
const rowsMax = 500;
/** A bcrypt hash; a cost beyond these would take a thread for seconds. */
const passwordHash = /^\$2[abxy]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/;

const ref = Type.String({ pattern: "^[\\x21-\\x7e]{1,128}$", description: "Its id over there." });
const digestField = Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256, in hex." });
const shown = Type.String({ minLength: 1, maxLength: 64 });
const atLeastOne = orNull(Type.Integer({ minimum: 1, maximum: perMinuteMax }));
const rates = {
  requests_per_minute: atLeastOne,
  tokens_per_minute: atLeastOne,
  concurrency: orNull(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
};

export const ImportedAccount = Type.Object(
  {
    ref,
    kind: Type.Optional(word("person", "organisation")),
    username: usernameField,
    password_hash: Type.Refine(
      Type.String({ description: "A bcrypt hash; empty where no password opens it." }),
      (hash) => hash === "" || passwordHash.test(hash),
      () => "must be empty or a bcrypt hash of a cost up to 14",
    ),
    role: word("user", "admin"),
    group: name("Its group."),
    status: statusSchema,
    unlimited: Type.Boolean(),
    micros: Type.Integer({ minimum: 0, maximum: creditMicrosMax, description: "What is left." }),
    created_at: orNull(momentSchema),
    totp: orNull(Type.String({ pattern: "^[A-Z2-7]{16,256}$" })),
    ...rates,
  },
  closed,
);
export type ImportedAccount = Static<typeof ImportedAccount>;

/** Bounds of a key: whoever reads another program's database writes these as they are here. */
const keyBounds = {
  models: orNull(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1 })),
  allow_ips: orNull(
    Type.Array(
      Type.Refine(Type.String(), isAddressOrNetwork, () => "must be an address or a network"),
      { minItems: 1 },
    ),
  ),
  expires_at: orNull(momentSchema),
};
const KeyBounds = Type.Object(keyBounds);
export type KeyBounds = Static<typeof KeyBounds>;

export const unbounded: KeyBounds = { models: null, allow_ips: null, expires_at: null };

export const ImportedKey = Type.Object(
  {
    ref,
    owner: ref,
    project: Type.Optional(ref),
    /** The member that it is of. */
    maker: Type.Optional(ref),
    hash: digestField,
    shown,
    name: labelName("Its name."),
    group: orNull(name("Its own group; null: that of its account.")),
    status: statusSchema,
    limit_micros: orNull(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    ...keyBounds,
    created_at: orNull(momentSchema),
    ...rates,
  },
  closed,
);
export type ImportedKey = Static<typeof ImportedKey>;

export const ImportedChannel = Type.Object(
  {
    ref,
    channel: ChannelInput,
    /** Positions, from 0, of its keys that were out of use over there. */
    disabled_keys: Type.Array(Type.Integer({ minimum: 0, maximum: 999 })),
  },
  closed,
);
export type ImportedChannel = Static<typeof ImportedChannel>;

export const ImportedCode = Type.Object(
  {
    ref,
    hash: digestField,
    shown,
    name: labelName("What it is for."),
    micros: Type.Integer({ minimum: 1, maximum: creditMicrosMax }),
    expires_at: orNull(momentSchema),
  },
  closed,
);
export type ImportedCode = Static<typeof ImportedCode>;

export const ImportedProject = Type.Object(
  { ref, organisation: ref, name: labelName("Its name."), status: statusSchema },
  closed,
);

export const ImportedMember = Type.Object(
  {
    ref,
    organisation: ref,
    person: ref,
    role: word("admin", "member", "viewer"),
    /** Project that its new keys are in. */
    project: Type.Optional(ref),
  },
  closed,
);

const { subject: _subject, ...budgetOwn } = budgetFields;
export const ImportedBudget = Type.Object(
  {
    ref,
    account: ref,
    subject: orNull(ref),
    budget: Type.Object(budgetOwn, { ...closed, description: "The budget, without its subject." }),
  },
  closed,
);
export type ImportedBudget = Static<typeof ImportedBudget>;

const subject = Type.String({ minLength: 1, maxLength: 256 });
export const ImportedIdentity = Type.Object(
  { ref, owner: ref, provider: subject, issuer: subject, subject },
  closed,
);
export type ImportedIdentity = Static<typeof ImportedIdentity>;

export const ImportedAnnouncement = Type.Object(
  {
    ref,
    title: plainTextSchema(120, "What it is about, in a line."),
    text: plainTextSchema(4000, "What there is to say."),
    starts_at: orNull(momentSchema),
  },
  closed,
);
export type ImportedAnnouncement = Static<typeof ImportedAnnouncement>;

const many = <Schema extends Parameters<typeof Type.Array>[0]>(schema: Schema) =>
  Type.Optional(Type.Array(schema, { maxItems: rowsMax }));

export const ImportInput = Type.Object(
  {
    source: Type.Refine(
      Type.String({
        maxLength: 32,
        description: "What the database is called here; ids count within it.",
      }),
      (name) => /^[a-z0-9][a-z0-9.-]*$/.test(name),
      () => "must be of small letters, digits, dots and -, and begin with a letter or digit",
    ),
    groups: many(GroupInput),
    accounts: many(ImportedAccount),
    projects: many(ImportedProject),
    members: many(ImportedMember),
    keys: many(ImportedKey),
    budgets: many(ImportedBudget),
    channels: many(ImportedChannel),
    prices: many(PriceInput),
    codes: many(ImportedCode),
    identities: many(ImportedIdentity),
    announcements: many(ImportedAnnouncement),
  },
  { ...closed, description: "Rows of another program's database, in neutral words." },
);
export type ImportInput = Static<typeof ImportInput>;

/** Each row is looked at for itself, so that one that is wrong keeps no other out. */
const loose = Type.Optional(Type.Array(anyObject, { maxItems: rowsMax }));
const LooseImport = Type.Object(
  {
    source: ImportInput.properties.source,
    groups: loose,
    accounts: loose,
    projects: loose,
    members: loose,
    keys: loose,
    budgets: loose,
    channels: loose,
    prices: loose,
    codes: loose,
    identities: loose,
    announcements: loose,
  },
  closed,
);

export const ImportResult = Type.Object({
  rows: Type.Array(
    Type.Object({
      kind: text("As the lists are called."),
      ref: text(),
      outcome: word("made", "known", "refused"),
      reason: text("Why it was refused; empty otherwise."),
    }),
  ),
  /** Quota that was granted, as it stands in the database now. */
  granted_micros: moneySchema,
  limits_micros: moneySchema,
  codes_micros: moneySchema,
});
export type ImportResult = Static<typeof ImportResult>;

export const ImportState = Type.Object({
  source: text(),
  /** The ids over there of what has come, by kind. */
  refs: Type.Record(Type.String(), Type.Array(text())),
  /** Usernames here, by the accounts' ids over there. */
  usernames: Type.Record(Type.String(), text()),
  grants: whole("How many grants were booked."),
  granted_micros: moneySchema,
});
export type ImportState = Static<typeof ImportState>;

const { call } = callsOf("Import");

/** Whole databases with hashes in them. */
export const importCalls = {
  read: call("GET /api/import", "Read what has come of a database", {
    permission: "gateway.import",
    query: { source: { schema: text(), isRequired: true } },
    answer: ImportState,
  }),
  write: call("POST /api/import", "Take rows of another program's database", {
    permission: "gateway.import",
    body: {
      ...bodyOf(LooseImport, {
        source: "old-gateway",
        groups: [{ name: "friends", multiplier: 0.8 }],
      }),
      schema: ImportInput,
    },
    answer: ImportResult,
  }),
};
export type ImportCalls = typeof importCalls;
