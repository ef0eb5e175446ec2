// Second factors as they go over the wire, and their calls.
import { labelName } from "../../config/fields.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, nothing, removed } from "../contract/basics.ts";

export const proofFields = {
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  ticket: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  passkey: Type.Optional(Type.Object({})),
};
const FactorProof = Type.Object(proofFields, { additionalProperties: false });
/** Proof of a second factor, in the words of the wire. */
export type FactorProof = Static<typeof FactorProof>;

/** Body of every change that needs the password, or a second factor. */
export const proofBody = bodyOf(FactorProof, { password: "correct horse battery staple" });

const kinds = Type.Array(word("totp", "passkey"));

/** Answer to a sign-in whose password was right and whose second factor is due. */
export const SecondFactorAsk = Type.Object({
  second_factor: kinds,
  /** For the second half, in the same browser, within five minutes. */
  ticket: text(),
});
export type SecondFactorAsk = Static<typeof SecondFactorAsk>;

/** A question for `navigator.credentials`, with the ticket to send the answer with. */
export const PasskeyAsk = Type.Object({
  ticket: text(),
  /** The options as WebAuthn has them in JSON. */
  passkey: Type.Unsafe<object>({ type: "object" }),
});
export type PasskeyAsk = Static<typeof PasskeyAsk>;

export const SecondFactorView = Type.Object({
  /** Second factors that signing in asks for; empty: the password alone. */
  second_factor: kinds,
  /** The operator demands one of this account. */
  required: Type.Boolean(),
  totp: Type.Object({ enabled: Type.Boolean(), enabled_at: orNull(momentSchema) }),
  passkeys: Type.Array(
    Type.Object({
      id: text(),
      name: text(),
      created_at: momentSchema,
      last_used_at: orNull(momentSchema),
    }),
  ),
  recovery_codes_left: whole(),
});
export type SecondFactorView = Static<typeof SecondFactorView>;

export const TotpBegun = Type.Object({
  /** In base32, for those who type it. */
  secret: text(),
  /** For a picture that the app reads. */
  uri: text(),
});
export type TotpBegun = Static<typeof TotpBegun>;

/** Each of them stands in for a lost factor once. Shown this once. */
export const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(text()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;

/** With the first factor only. */
const enrolled = { recovery_codes: orNull(Type.Array(text())) };

export const EnrolledFactor = Type.Object(enrolled);
export type EnrolledFactor = Static<typeof EnrolledFactor>;

export const EnrolledPasskey = Type.Object({ ...enrolled, id: text(), name: text() });
export type EnrolledPasskey = Static<typeof EnrolledPasskey>;

const closed = { additionalProperties: false } as const;
const CodeInput = Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) }, closed);
const PasskeyInput = Type.Object(
  {
    ticket: Type.String({ minLength: 1, maxLength: 4096 }),
    name: Type.Optional(labelName("To recognise it by.")),
    passkey: Type.Object({}),
  },
  closed,
);
const QuestionInput = Type.Object({ ticket: proofFields.ticket }, closed);

const { call, open } = callsOf("Signing in");

/** The question for a passkey that signs in; it sets a cookie. */
export const askPasskeyCalls = {
  ask: open("POST /api/user/login/passkey", "Ask what a passkey has to sign", {
    body: bodyOf(QuestionInput, {}),
    answer: PasskeyAsk,
  }),
};

/** Only someone who is signed in may change them: a token is not a person. */
const own = { carriers: ["session"], isForEnrolment: true } as const;
const proven = {
  ...own,
  description: "Needs the password, or a second factor.",
  body: proofBody,
} as const;

export const secondFactorCalls = {
  read: call("GET /api/user/self/second-factor", "Read one's second factors", {
    isForEnrolment: true,
    answer: SecondFactorView,
  }),
  beginTotp: call("POST /api/user/self/second-factor/totp", "Begin with an authenticator app", {
    ...proven,
    answer: TotpBegun,
  }),
  confirmTotp: call(
    "POST /api/user/self/second-factor/totp/confirm",
    "Confirm the authenticator app by a code of it",
    { ...own, body: bodyOf(CodeInput, { code: "123456" }), answer: EnrolledFactor },
  ),
  removeTotp: call(
    "POST /api/user/self/second-factor/totp/remove",
    "Remove the authenticator app",
    { ...proven, answer: nothing },
  ),
  beginPasskey: call(
    "POST /api/user/self/second-factor/passkey/options",
    "Ask how to make a passkey",
    { ...proven, answer: PasskeyAsk },
  ),
  addPasskey: call("POST /api/user/self/second-factor/passkey", "Add a passkey", {
    ...own,
    body: bodyOf(PasskeyInput, { ticket: "tkt_example", name: "phone", passkey: {} }),
    answer: EnrolledPasskey,
  }),
  removePasskey: call("POST /api/user/self/second-factor/passkey/{id}/remove", "Remove a passkey", {
    ...proven,
    answer: removed,
  }),
  askPasskey: call(
    "POST /api/user/self/second-factor/challenge",
    "Ask what a passkey has to sign, to prove a change",
    {
      ...own,
      body: bodyOf(Type.Object({}), {}),
      answer: PasskeyAsk,
    },
  ),
  renewRecoveryCodes: call(
    "POST /api/user/self/second-factor/recovery",
    "Make new recovery codes",
    { ...proven, answer: RecoveryCodes },
  ),
};
export type AskPasskeyCalls = typeof askPasskeyCalls;
export type SecondFactorCalls = typeof secondFactorCalls;
