// Second factors as they go over the wire.
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { bodyOf } from "../call.ts";
import { momentSchema } from "../contract/basics.ts";

export const proofFields = {
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  ticket: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  passkey: Type.Optional(Type.Object({})),
};
const Proof = Type.Object(proofFields, { additionalProperties: false });
/** What is shown as a proof, in the words of the wire. */
export type Proof = Static<typeof Proof>;

/** Body of every change that needs the password, or a second factor. */
export const proofBody = bodyOf(Proof, { password: "correct horse battery staple" });

const kinds = Type.Array(word("totp", "passkey"));

/** What signing in answers when the password was right and a second factor is due. */
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
  /** What signing in asks for; empty: the password alone. */
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
