// E-mail addresses of people, and letters that let them in, as they go over the wire.
import { Type } from "../../core/schema.ts";
import { bodyOf, callsOf } from "../call.ts";
import { nothing } from "../contract/basics.ts";
import { proofBody, proofFields } from "../second-factor/contract.ts";
import { entered } from "../session/contract.ts";
import { emailField, passwordField } from "../user/fields.ts";

const closed = { additionalProperties: false } as const;
const { code, ticket, passkey } = proofFields;

const tokenField = Type.String({
  minLength: 1,
  maxLength: 256,
  description: "Text behind the `=` of the link in the letter.",
});

const EmailInput = Type.Object({ email: emailField, ...proofFields }, closed);
const WhoInput = Type.Object(
  {
    who: Type.String({
      minLength: 1,
      maxLength: 256,
      description: "The name of an account, or its e-mail address.",
    }),
  },
  closed,
);
const TokenInput = Type.Object({ token: tokenField }, closed);
const ResetInput = Type.Object(
  { token: tokenField, new_password: passwordField, code, ticket, passkey },
  closed,
);
const MailLinkInput = Type.Object(
  {
    token: tokenField,
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 16,
        description: "Digits of the letter, for a browser other than the one that asked.",
      }),
    ),
  },
  closed,
);

const own = callsOf("Own account");
const { open } = callsOf("Signing in");
const token = "what follows the = of the link";
const proven = "Needs the password, or a second factor.";

/** Only someone who is signed in may change it: a token is not a person. */
const byPerson = { carriers: ["session"] } as const;

export const ownEmailCalls = {
  set: own.call("POST /api/user/self/email", "Set one's e-mail address", {
    ...byPerson,
    description: `A letter goes there; the one before holds until its link is opened. ${proven}`,
    body: bodyOf(EmailInput, { email: "ann@example.com", password: "correct horse" }),
    answer: nothing,
  }),
  remove: own.call("POST /api/user/self/email/remove", "Remove one's e-mail address", {
    ...byPerson,
    description: proven,
    body: proofBody,
    answer: nothing,
  }),
};

/** The answer is the same whether there is such an account or not. */
export const mailAskCalls = {
  verify: open("POST /api/user/email/verify", "Confirm an e-mail address", {
    description: "By the link of its letter. Once, within 24 hours.",
    body: bodyOf(TokenInput, { token }),
    answer: nothing,
  }),
  askReset: open("POST /api/user/reset", "Ask for a new password by e-mail", {
    description: "If there is such an account with an address, a letter is on its way.",
    body: bodyOf(WhoInput, { who: "ann@example.com" }),
    answer: nothing,
  }),
  askLink: open("POST /api/user/login/mail", "Ask for a link that signs in, by e-mail", {
    description: "If there is such an account with an address, a letter is on its way.",
    body: bodyOf(WhoInput, { who: "ann@example.com" }),
    answer: nothing,
  }),
};

/** Ways in by a letter, each of which sets a cookie. */
export const mailEnterCalls = {
  reset: open("POST /api/user/reset/finish", "Set a new password by the link of a letter", {
    description:
      "Once. Ends every session, and signs in, or asks for a second factor: then the call is " +
      "made again with the ticket and the factor.",
    body: bodyOf(ResetInput, { token, new_password: "correct horse battery staple" }),
    answer: entered,
  }),
  link: open("POST /api/user/login/mail/finish", "Sign in by the link of a letter", {
    description: "Once. Another browser than the one that asked needs the digits too.",
    body: bodyOf(MailLinkInput, { token }),
    answer: entered,
  }),
};
export type OwnEmailCalls = typeof ownEmailCalls;
export type MailAskCalls = typeof mailAskCalls;
export type MailEnterCalls = typeof mailEnterCalls;
