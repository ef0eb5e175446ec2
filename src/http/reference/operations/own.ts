// What people do with their own account: get in, keep others out, have keys.
import { passwordChecker } from "../../../admin/user/password.ts";
import { tokenChecker } from "../../../admin/user/access-token.ts";
import { registerChecker } from "../../../admin/user/register.ts";
import { passkeyChecker } from "../../../admin/second-factor/passkey.ts";
import { proofChecker } from "../../../admin/second-factor/prove.ts";
import { questionChecker, secondChecker } from "../../../admin/second-factor/sign-in.ts";
import { codeChecker } from "../../../admin/second-factor/totp.ts";
import { signInChecker } from "../../../admin/session/open.ts";
import { ApiKeyInput } from "../../../config/entities.ts";
import { Type } from "../../../core/schema.ts";
import { text, type Operation, type Operations } from "../operation.ts";
import * as accounts from "../views/accounts.ts";
import { listOf, nothing, pages, removed } from "../views/basics.ts";

const tag = "Signing in";
const password = "correct horse battery staple";
const entered = Type.Union([accounts.self, accounts.secondFactorAsk]);
const proof = { schema: proofChecker.schema, example: { password } };
const factor = "/api/user/self/second-factor";

function proven(summary: string, answer: Operation["answer"]): Operation {
  return {
    tag,
    summary,
    description: "Needs the password, or a second factor.",
    body: proof,
    answer,
  };
}

export const ownOperations: Operations = {
  "POST /api/user/register": {
    tag,
    summary: "Create an account for oneself",
    body: { schema: registerChecker.schema, example: { username: "bob", password } },
    answer: accounts.self,
  },
  "POST /api/user/login": {
    tag,
    summary: "Sign in",
    description: "Sets the session's cookie, or asks for a second factor.",
    body: { schema: signInChecker.schema, example: { username: "ann", password } },
    answer: entered,
  },
  "POST /api/user/login/second": {
    tag,
    summary: "Show the second factor",
    body: { schema: secondChecker.schema, example: { ticket: "tkt_example", code: "123456" } },
    answer: accounts.self,
  },
  "POST /api/user/login/passkey": {
    tag,
    summary: "Ask what a passkey has to sign",
    body: { schema: questionChecker.schema, example: {} },
    answer: accounts.passkeyAsk,
  },
  "POST /api/user/logout": { tag, summary: "Sign out", answer: nothing },
  "POST /api/user/password": {
    tag,
    summary: "Change one's password",
    body: {
      schema: passwordChecker.schema,
      example: { current_password: password, new_password: `${password} again` },
    },
    answer: nothing,
  },
  "GET /api/session": {
    tag,
    summary: "List one's sessions",
    query: pages,
    answer: listOf(accounts.session),
  },
  "DELETE /api/session/{id}": { tag, summary: "End a session", answer: removed },
  [`GET ${factor}`]: { tag, summary: "Read one's second factors", answer: accounts.secondFactor },
  [`POST ${factor}/totp`]: proven("Begin with an authenticator app", accounts.totpBegun),
  [`POST ${factor}/totp/confirm`]: {
    tag,
    summary: "Confirm the authenticator app by a code of it",
    body: { schema: codeChecker.schema, example: { code: "123456" } },
    answer: accounts.enrolledFactor,
  },
  [`POST ${factor}/totp/remove`]: proven("Remove the authenticator app", accounts.secondFactor),
  [`POST ${factor}/passkey/options`]: proven("Ask how to make a passkey", accounts.passkeyAsk),
  [`POST ${factor}/passkey`]: {
    tag,
    summary: "Add a passkey",
    body: {
      schema: passkeyChecker.schema,
      example: { ticket: "tkt_example", name: "phone", passkey: {} },
    },
    answer: accounts.enrolledPasskey,
  },
  [`POST ${factor}/passkey/{id}/remove`]: proven("Remove a passkey", removed),
  [`POST ${factor}/challenge`]: {
    tag,
    summary: "Ask what a passkey has to sign, to prove a change",
    body: { schema: Type.Object({}), example: {} },
    answer: accounts.passkeyAsk,
  },
  [`POST ${factor}/recovery`]: proven("Make new recovery codes", accounts.recoveryCodes),
  "GET /api/oauth": {
    tag,
    summary: "List the sites that people may sign in through",
    answer: Type.Array(accounts.provider),
  },
  "GET /api/oauth/state": {
    tag,
    summary: "Begin to sign in through a site",
    description:
      "The state is for this browser, for one use, for ten minutes. Beside data, authorize_url " +
      "is where the browser goes with it; null as long as no site is named.",
    query: {
      provider: { schema: text(), description: "By its name in the configuration." },
      invitation: { schema: text() },
    },
    answer: text("The state."),
  },
  "GET /api/oauth/{provider}/authorize": {
    tag,
    summary: "Go to the site",
    query: { state: { schema: text() }, invitation: { schema: text() } },
    answer: { type: "text/html", description: "A redirect to the site." },
  },
  "GET /api/oauth/{provider}": {
    tag,
    summary: "Come back from the site",
    query: { code: { schema: text() }, state: { schema: text() } },
    answer: entered,
  },
  "GET /api/user/self": { tag: "Own account", summary: "Read oneself", answer: accounts.self },
  "GET /api/user/self/identities": {
    tag: "Own account",
    summary: "List who one is at other sites",
    query: pages,
    answer: listOf(accounts.identity),
  },
  "DELETE /api/user/self/identities/{id}": {
    tag: "Own account",
    summary: "Unlink another site",
    answer: removed,
  },
  "GET /api/token": {
    tag: "API keys",
    summary: "List API keys",
    query: { ...pages, account: { schema: text(), description: "For admins." } },
    answer: listOf(accounts.key),
  },
  "POST /api/token": {
    tag: "API keys",
    summary: "Create an API key",
    description: "The answer is the only time that its text is seen.",
    body: {
      schema: Type.Object({ ...ApiKeyInput.properties, account: Type.Optional(text()) }),
      example: { name: "laptop", unlimited: true },
    },
    answer: accounts.createdKey,
  },
  "GET /api/token/{id}": { tag: "API keys", summary: "Read an API key", answer: accounts.key },
  "PATCH /api/token/{id}": {
    tag: "API keys",
    summary: "Change an API key",
    body: { schema: Type.Partial(ApiKeyInput), example: { quota_micros: 2_000_000 } },
    answer: accounts.key,
  },
  "DELETE /api/token/{id}": { tag: "API keys", summary: "Revoke an API key", answer: removed },
  "GET /api/access-token": {
    tag: "Own account",
    summary: "List access tokens",
    query: pages,
    answer: listOf(accounts.token),
  },
  "POST /api/access-token": {
    tag: "Own account",
    summary: "Create an access token, for scripts",
    body: { schema: tokenChecker.schema, example: { name: "backup" }, isOptional: true },
    answer: accounts.createdToken,
  },
  "DELETE /api/access-token/{id}": {
    tag: "Own account",
    summary: "Revoke an access token",
    answer: removed,
  },
};
