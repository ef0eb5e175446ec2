// The fields of an account as the control plane takes them.
import { perMinuteMax } from "../../core/rate/bucket.ts";
import { isRoleName, isZoneName, languageSchema, name } from "../../config/fields.ts";
import { entityStatuses } from "../../config/entities.ts";
import { Type, type Static, type TSchema } from "../../core/schema.ts";
import { orNull } from "../../core/schema-words.ts";
import { plainTextSchema } from "../contract/basics.ts";
import {
  isPasswordLength,
  passwordCharactersMax,
  passwordCharactersMin,
} from "../password-length.ts";

/** The first account, which is made at the first start. */
export const rootName = "root";
/** The most that one credit or a starting quota may move. */
export const creditMicrosMax = 1_000_000_000_000_000;

const closed = { additionalProperties: false } as const;
const role = Type.Optional(
  Type.Refine(
    Type.String({ description: "What the account may do: a role, by its name." }),
    isRoleName,
    () => "must be the name of a role",
  ),
);
const group = Type.Optional(name("The account's group."));

export const usernameField = Type.Refine(
  Type.String({ description: "The name to sign in with." }),
  (text) => /^[A-Za-z0-9._@-]{1,64}$/.test(text),
  () => "must be 1 to 64 letters, digits or . _ - @",
);

export const passwordField = Type.Refine(
  Type.String({ description: "The password to sign in with." }),
  isPasswordLength,
  () => `must have ${passwordCharactersMin} to ${passwordCharactersMax} characters`,
);

export const emailField = Type.String({
  minLength: 3,
  maxLength: 254,
  description: "An e-mail address.",
});

export const UserInput = Type.Object(
  {
    username: usernameField,
    password: passwordField,
    group,
    role,
    quota_micros: Type.Optional(Type.Integer({ minimum: 0, maximum: creditMicrosMax })),
  },
  closed,
);

/** Null lifts the limit. */
function rate(maximum: number) {
  return Type.Optional(
    Type.Unsafe<number | null>({ type: ["integer", "null"], minimum: 1, maximum }),
  );
}

/** Bounds of a person's or a part's keys together; null takes one out. */
export const rateFields = {
  requests_per_minute: rate(perMinuteMax),
  tokens_per_minute: rate(perMinuteMax),
  concurrency: rate(1_000_000),
};

/** Never a quota: money moves by credit alone. */
export const UserChange = Type.Object(
  {
    username: Type.Optional(usernameField),
    password: Type.Optional(passwordField),
    group,
    role,
    status: Type.Optional(Type.Enum(entityStatuses)),
    ...rateFields,
  },
  closed,
);

/** Fields that people change of themselves. */
const orCleared = <Schema extends TSchema>(schema: Schema) => Type.Optional(orNull(schema));

export const SelfChange = Type.Object(
  {
    username: Type.Optional(usernameField),
    display_name: orCleared(plainTextSchema(80, "What you are called; null takes it out.")),
    language: orCleared(languageSchema("Of the console and of letters, such as en.")),
    zone: orCleared(
      Type.Refine(
        Type.String({ maxLength: 64, description: "The time zone, such as Asia/Shanghai." }),
        isZoneName,
        () => "must be the IANA name of a time zone",
      ),
    ),
    low_balance_micros: orCleared(
      Type.Integer({
        minimum: 0,
        maximum: creditMicrosMax,
        description: "The console warns below it, and notice_url is told.",
      }),
    ),
    notice_url: orCleared(
      Type.Refine(
        Type.String({
          maxLength: 2048,
          description: "A public address that is told when the balance or a key is low.",
        }),
        isHookUrl,
        () => "must be an http or https address without credentials",
      ),
    ),
  },
  closed,
);

function isHookUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
}

export const CreditInput = Type.Object(
  {
    /** Negative takes back at most what is left. */
    micros: Type.Integer({ minimum: -creditMicrosMax, maximum: creditMicrosMax }),
    reason: Type.String({ minLength: 1, maxLength: 200 }),
    /** The same id is credited once, however often it is sent. */
    id: Type.Optional(
      Type.Refine(
        Type.String(),
        (text) => /^[A-Za-z0-9._:-]{1,64}$/.test(text),
        () => "must be 1 to 64 letters, digits or . _ : -",
      ),
    ),
  },
  closed,
);
export type CreditInput = Static<typeof CreditInput>;
