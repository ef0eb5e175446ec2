// How people get in and out, and what the reference says of it. Most of it sets cookies, so those
// who serve it call the functions themselves, and only what is said of them stands here.
import type { ReferenceEntry } from "../../core/reference-entry.ts";
import { Type } from "../../core/schema.ts";
import { nothing, removed } from "../contract/basics.ts";
import { SecondFactorAsk } from "../second-factor/contract.ts";
import { secondChecker } from "../second-factor/sign-in.ts";
import { SelfView } from "../user/contract.ts";
import { passwordChecker } from "../user/password.ts";
import { registerChecker } from "../user/register.ts";
import { verbsOf } from "../verb.ts";
import { SessionView, SignInLink } from "./contract.ts";
import { listSessionViews } from "./list.ts";
import { createLink, linkChecker } from "./link.ts";
import { signInChecker } from "./open.ts";

const tag = "Signing in";
const { list, verb } = verbsOf(tag);
const password = "correct horse battery staple";

/** Who one is from now on, or what is still to be shown. */
export const entered = Type.Union([SelfView, SecondFactorAsk]);

export const sessionVerbs = {
  list: list("List one's sessions", SessionView, listSessionViews),
};

export const linkVerbs = {
  create: verb("Make a link that signs someone in", "id", createLink, {
    description: "It works once, for 15 minutes, and until the password changes.",
    answer: SignInLink,
  }),
};

export const sessionEntries = {
  register: {
    tag,
    summary: "Create an account for oneself",
    body: { schema: registerChecker.schema, example: { username: "bob", password } },
    answer: SelfView,
  },
  signIn: {
    tag,
    summary: "Sign in",
    description: "Sets the session's cookie, or asks for a second factor.",
    body: { schema: signInChecker.schema, example: { username: "ann", password } },
    answer: entered,
  },
  signInByLink: {
    tag,
    summary: "Sign in by a link",
    description: "Once. Sets the session's cookie, or asks for a second factor.",
    body: { schema: linkChecker.schema, example: { link: "what follows #link=" } },
    answer: entered,
  },
  signInSecond: {
    tag,
    summary: "Show the second factor",
    body: { schema: secondChecker.schema, example: { ticket: "tkt_example", code: "123456" } },
    answer: SelfView,
  },
  signOut: { tag, summary: "Sign out", answer: nothing },
  changePassword: {
    tag,
    summary: "Change one's password",
    body: {
      schema: passwordChecker.schema,
      example: { current_password: password, new_password: `${password} again` },
    },
    answer: nothing,
  },
  end: { tag, summary: "End a session", answer: removed },
} satisfies Record<string, ReferenceEntry>;
