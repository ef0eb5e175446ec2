// Sessions as they go over the wire, and the calls by which people get in and out.
import { text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, nothing, removed } from "../contract/basics.ts";
import { proofFields, SecondFactorAsk } from "../second-factor/contract.ts";
import { SelfView } from "../user/contract.ts";
import { emailField, passwordField, usernameField } from "../user/fields.ts";

export const SessionView = Type.Object({
  id: text(),
  /** The one that this list was asked for in. */
  current: Type.Boolean(),
  /** From where and with which browser it was opened. */
  ip: text(),
  agent: text(),
  created_at: momentSchema,
  last_used_at: momentSchema,
  /** If it is not used again until then. */
  expires_at: momentSchema,
});
export type SessionView = Static<typeof SessionView>;

export const SignInLink = Type.Object({
  url: text("To be opened once in a browser; what follows `#link=` signs it in."),
  expires_at: momentSchema,
});
export type SignInLink = Static<typeof SignInLink>;

const closed = { additionalProperties: false } as const;
const shortText = Type.String({ minLength: 1, maxLength: 256 });
const { code, ticket, passkey } = proofFields;

const RegisterInput = Type.Object(
  {
    username: usernameField,
    password: passwordField,
    invitation: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    email: Type.Optional(emailField),
  },
  closed,
);
const SignInInput = Type.Object({ username: shortText, password: shortText }, closed);
const LinkInput = Type.Object(
  { link: Type.String({ minLength: 1, maxLength: 256, description: "What follows `#link=`." }) },
  closed,
);
const SecondInput = Type.Object({ ticket: Type.String(), code, passkey }, closed);
const PasswordChange = Type.Object(
  {
    /** Left out where the account has none yet. */
    current_password: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    new_password: passwordField,
    code,
    ticket,
    passkey,
  },
  closed,
);

const { call, list, open } = callsOf("Signing in");
const password = "correct horse battery staple";

/** Account that is signed in, or the proof that is still missing. */
export const entered = Type.Union([SelfView, SecondFactorAsk]);

/** Ways in, each of which sets a cookie. */
export const enterCalls = {
  register: open("POST /api/user/register", "Create an account for oneself", {
    body: bodyOf(RegisterInput, { username: "bob", password }),
    answer: SelfView,
  }),
  signIn: open("POST /api/user/login", "Sign in", {
    description: "Sets the session's cookie, or asks for a second factor.",
    body: bodyOf(SignInInput, { username: "ann", password }),
    answer: entered,
  }),
  signInByLink: open("POST /api/user/login/link", "Sign in by a link", {
    description: "Once. Sets the session's cookie, or asks for a second factor.",
    body: bodyOf(LinkInput, { link: "what follows #link=" }),
    answer: entered,
  }),
  signInSecond: open("POST /api/user/login/second", "Show the second factor", {
    body: bodyOf(SecondInput, { ticket: "tkt_example", code: "123456" }),
    answer: SelfView,
  }),
};

export const sessionCalls = {
  list: list("GET /api/session", "List one's sessions", {
    item: SessionView,
    filter: {},
  }),
};

/** They end sessions or renew them, so the routes themselves set the cookie. */
export const cookieCalls = {
  signOut: call("POST /api/user/logout", "Sign out", {
    carriers: ["session"],
    isForEnrolment: true,
    answer: nothing,
  }),
  changePassword: call("POST /api/user/password", "Change one's password", {
    body: bodyOf(PasswordChange, {
      current_password: password,
      new_password: `${password} again`,
    }),
    answer: nothing,
  }),
  end: call("DELETE /api/session/{id}", "End a session", { answer: removed }),
};

export const linkCalls = {
  create: call("POST /api/user/{id}/link", "Make a link that signs someone in", {
    permission: "sign_in_links.make",
    showsSecret: true,
    description: "It works once, for 15 minutes, and until the password changes.",
    answer: SignInLink,
  }),
};
export type EnterCalls = typeof enterCalls;
export type SessionCalls = typeof sessionCalls;
export type CookieCalls = typeof cookieCalls;
export type LinkCalls = typeof linkCalls;
