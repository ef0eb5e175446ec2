import { expect, test } from "bun:test";
import type { Clock } from "../../core/clock.ts";
import { systemClock } from "../../core/clock.ts";
import { systemRandom } from "../../core/random.ts";
import { openOAuth } from "../../identity/oauth/index.ts";
import type { Person, Provider } from "../../identity/oauth/provider.ts";
import { openPlane, refusal, type Plane } from "../fixtures/control-plane.ts";
import { enterCalls } from "../session/contract.ts";
import { signIn, type SignedIn } from "../session/open.ts";
import { beginSignIn, type Comer } from "./begin.ts";
import type { OAuthNeeds } from "./needs.ts";
import { finishSignIn } from "./finish.ts";
import { listIdentityViews } from "./list.ts";
import { unlinkIdentity } from "./unlink.ts";

const all = { query: { p: 1, page_size: 20 } };

const stranger: Comer = {
  ip: "192.0.2.1",
  agent: "Browser",
  session: null,
  browser: null,
  operator: null,
};
const nobody: Person = {
  issuer: "https://id.example",
  subject: "1",
  username: "ann",
  displayName: "",
};

interface Stand {
  plane: Plane;
  control: OAuthNeeds;
  /** The next person from the provider, or the fault meanwhile. */
  identify(): Promise<Person>;
}

async function stand(plane: Plane): Promise<Stand> {
  const made: Stand = {
    plane,
    identify: async () => nobody,
    control: {
      ...plane.control,
      accountRules: { ...plane.control.accountRules, registration: "open" },
      oauth: openOAuth({
        settings: [],
        landing: "/",
        states: plane.control,
        callerOf: () => () => Promise.reject(new Error("there is none")),
        baseUrl: () => "https://Gate.Example",
      }),
    },
  };
  const provider: Provider = {
    name: "corp",
    type: "oidc",
    authorizeUrl: async ({ redirectUri }) => redirectUri,
    identify: () => made.identify(),
  };
  made.control.oauth.providers = new Map([[provider.name, provider]]);
  return made;
}

/** Through the provider and back. */
async function comeBack({ control }: Stand, comer: Comer): Promise<SignedIn> {
  const begin = { provider: "corp", invitation: null };
  const { state, browser } = await beginSignIn(control, comer, begin);
  const query = new URLSearchParams({ code: "c", state });
  const finish = { provider: "corp", query };
  const arrived = await finishSignIn(control, { ...comer, browser }, finish);
  if ("ticket" in arrived) throw new Error("a second factor was asked for");
  return arrived;
}

/** Someone with a password, signed in. */
async function member({ plane, control }: Stand, username: string): Promise<Comer> {
  await plane.person(username);
  const entered = await signIn(control, stranger, {
    body: { username, password: "a long password" },
  });
  if ("ticket" in entered) throw new Error("a second factor was asked for");
  const operator = await control.sessions.operator(entered.secret);
  return { ...stranger, session: entered.secret, operator };
}

function later(minutes: number): Clock {
  return { ...systemClock, nowMs: () => systemClock.nowMs() + minutes * 60_000 };
}

test("where providers send browsers is one address, whatever its spelling", async () => {
  await using plane = await openPlane();
  const { control } = await stand(plane);
  const begin = { provider: null, invitation: null };
  const { authorizeUrl } = await beginSignIn(control, stranger, begin);
  expect(authorizeUrl).toBe("https://gate.example/api/oauth/corp");
});

test("hazard F6 linking needs a session that was opened just now", async () => {
  await using plane = await openPlane();
  const made = await stand(plane);
  const alice = await member(made, "alice");
  const begin = { provider: "corp", invitation: null };
  const control = { ...made.control, clock: later(16) };
  const { code } = await refusal(beginSignIn(control, alice, begin));
  expect(code).toBe("permission_denied");
  await beginSignIn({ ...made.control, clock: later(14) }, alice, begin);
});

test("hazard F6 a session that ended while the provider was asked links nothing", async () => {
  await using plane = await openPlane();
  const made = await stand(plane);
  const alice = await member(made, "alice");
  const { accountId, sessionId } = alice.operator ?? {};
  if (!accountId || !sessionId) throw new Error("alice is not signed in");
  made.identify = async () => {
    await made.control.sessions.end(accountId, sessionId);
    return nobody;
  };
  expect(await refusal(comeBack(made, alice))).toEqual({ code: "invalid_state", param: null });
  const listed = await listIdentityViews(made.control, plane.root, all);
  expect(listed.total).toBe(0);
});

test("hazard F8 the same subject of another issuer is another person", async () => {
  await using plane = await openPlane();
  const made = await stand(plane);
  const first = await comeBack(made, stranger);
  made.identify = async () => ({ ...nobody, issuer: "https://other.example" });
  const second = await comeBack(made, stranger);
  expect(second.self.id).not.toBe(first.self.id);
});

test("hazard G17 linking and unlinking are written down", async () => {
  await using plane = await openPlane();
  const made = await stand(plane);
  const alice = await member(made, "alice");
  const { secret } = await comeBack(made, alice);
  const operator = await made.control.sessions.operator(secret);
  const { items } = await listIdentityViews(made.control, operator, all);
  const [identity] = items;
  await unlinkIdentity(made.control, operator, { id: identity?.id ?? "" });
  const entries = await made.control.store.read({
    sql: "select action, actor_name, target_id from audit_entry where action like 'user.identity%'",
    parameters: [],
  });
  const wanted = { actor_name: "alice", target_id: operator.accountId as string };
  expect(entries).toEqual([
    { action: "user.identity_link", ...wanted },
    { action: "user.identity_unlink", ...wanted },
  ]);
});

test("an account of a provider has no password, so its last identity stays", async () => {
  await using plane = await openPlane();
  const made = await stand(plane);
  const { secret, self } = await comeBack(made, stranger);
  expect(self).toMatchObject({ username: "ann", role: "user", quota_micros: 0 });
  const operator = await made.control.sessions.operator(secret);
  const { items } = await listIdentityViews(made.control, operator, all);
  const id = items[0]?.id ?? "";
  expect((await refusal(unlinkIdentity(made.control, operator, { id }))).code).toBe("conflict");
  const wrong = (async () => enterCalls.signIn.body.parse({ username: "ann", password: "" }))();
  expect((await refusal(wrong)).code).toBe("invalid_request");
  const empty = { username: "ann", password: "any password at all" };
  expect((await refusal(signIn(made.control, stranger, { body: empty }))).code).toBe(
    "invalid_credentials",
  );
});

test("a name that is taken in every form it could have is told", async () => {
  await using plane = await openPlane();
  const made = await stand(plane);
  made.control = {
    ...made.control,
    random: { ...systemRandom, bytes: (count) => new Uint8Array(count) },
  };
  await comeBack(made, stranger);
  made.identify = async () => ({ ...nobody, subject: "2" });
  await comeBack(made, stranger);
  made.identify = async () => ({ ...nobody, subject: "3" });
  expect(await refusal(comeBack(made, stranger))).toEqual({ code: "conflict", param: null });
});
