// Attacks by an OpenID issuer, or by whoever stands between: each lie alone is refused.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Browser, type Answered } from "../harness/browser.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import { clientId, clientSecret } from "../harness/oauth/code-book.ts";
import { LyingIssuer, type Lies } from "../harness/oauth/lying-issuer.ts";
import { atProvider, fetchCallback } from "../harness/oauth/visit.ts";
import { assertUp } from "./observe.ts";

setDefaultTimeout(60_000);

const origin = "https://gate.example";
let issuer: LyingIssuer;
let gateway: Gateway;

beforeAll(async () => {
  issuer = await LyingIssuer.start();
  const config = [
    'sandbox: "off"',
    `server: { public_url: "${origin}" }`,
    "log: { level: debug }",
    "accounts: { registration: open }",
    `oauth: { providers: [${issuer.config("liar")}] }`,
  ];
  gateway = await startGateway({ config: `${config.join("\n")}\n` });
});

afterAll(async () => {
  await assertUp(gateway);
  await gateway[Symbol.asyncDispose]();
  issuer[Symbol.dispose]();
});

function newBrowser(): Browser {
  return new Browser(gateway.url, { origin });
}

/** A whole sign-in with an issuer that lies like this. */
async function signIn(lies: Lies): Promise<Answered> {
  issuer.lies = lies;
  const at = newBrowser();
  try {
    const started = await at.call("GET", "/api/oauth/state?provider=liar");
    if (!started.success) return started;
    const { authorize_url } = started as Answered & { authorize_url: string };
    const { pathname, search } = await atProvider(authorize_url);
    const answer = await at.call("GET", pathname + search);
    expect(await at.isSignedIn()).toBe(answer.success);
    return answer;
  } finally {
    issuer.lies = {};
  }
}

async function usersTotal(): Promise<number> {
  return (await gateway.control<{ total: number }>("GET", "/api/user")).total;
}

test("hazard F7 an issuer that does not lie is believed", async () => {
  const honest: Lies[] = [
    {},
    { claims: { aud: [clientId] } },
    { claims: { aud: [clientId, "other"], azp: clientId } },
    { claims: { azp: clientId } },
    { claims: { preferred_username: undefined }, userinfo: { name: "Liar" } },
    { discovery: { token_endpoint_auth_methods_supported: undefined } },
  ];
  const [first, ...others] = await exclusively(honest);
  expect(first).toMatchObject({ success: true, data: { username: "liar" } });
  for (const other of others) expect(other).toEqual(first ?? other);
});

/** One after the other: there is one issuer. */
async function exclusively(list: readonly Lies[]): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const lies of list) answers.push(await signIn(lies));
  return answers;
}

const hour = 3600;
const now = () => Math.floor(Date.now() / 1000);
const announces = (...algorithms: string[]) => ({
  id_token_signing_alg_values_supported: algorithms,
});

const falsehoods: Record<string, () => Lies> = {
  "a wrong nonce": () => ({ claims: { nonce: "another" } }),
  "no nonce": () => ({ claims: { nonce: undefined } }),
  "a wrong audience": () => ({ claims: { aud: "another-client" } }),
  "an empty audience": () => ({ claims: { aud: [] } }),
  "no audience": () => ({ claims: { aud: undefined } }),
  "more audiences without a party": () => ({ claims: { aud: [clientId, "other"] } }),
  "more audiences of another party": () => ({ claims: { aud: [clientId, "other"], azp: "other" } }),
  "another party": () => ({ claims: { azp: "another-client" } }),
  "a wrong issuer": () => ({ claims: { iss: "https://accounts.example" } }),
  "no issuer": () => ({ claims: { iss: undefined } }),
  "an expired token": () => ({ claims: { iat: now() - 2 * hour, exp: now() - hour } }),
  "no expiry": () => ({ claims: { exp: undefined } }),
  "an expiry that is text": () => ({ claims: { exp: "never" } }),
  "a token of the future": () => ({ claims: { nbf: now() + hour } }),
  "no subject": () => ({ claims: { sub: undefined } }),
  "an empty subject": () => ({ claims: { sub: "" } }),
  "a subject that is a number": () => ({ claims: { sub: 1 } }),
  "a subject without end": () => ({ claims: { sub: "x".repeat(300) } }),
  "alg none": () => ({ header: { alg: "none" }, signature: "" }),
  "alg none that it announces": () => ({
    header: { alg: "none" },
    signature: "",
    discovery: announces("none", "ES256"),
  }),
  "alg None": () => ({ header: { alg: "None" }, signature: "" }),
  "HS256 by the client's secret": () => ({ header: { alg: "HS256" }, macSecret: clientSecret }),
  "HS256 by the client's secret, as it announces": () => ({
    header: { alg: "HS256" },
    macSecret: clientSecret,
    discovery: announces("HS256"),
  }),
  "RS256 for another kind of key": () => ({
    header: { alg: "RS256" },
    discovery: announces("RS256"),
  }),
  "no signature": () => ({ signature: "" }),
  "a signature of nothing": () => ({ signature: "AAAA" }),
  "a key that it does not publish": () => ({ isForeignKey: true }),
  "a key that it does not publish, without its id": () => ({
    isForeignKey: true,
    header: { kid: undefined },
  }),
  "a key id that is not there": () => ({ header: { kid: "two" } }),
  "a key id that is a path": () => ({ header: { kid: "../../etc/passwd" } }),
  "a key in the token itself": () => ({ isForeignKey: true, header: { jku: "http://x", jwk: {} } }),
  "extensions that must be understood": () => ({ header: { crit: ["x"], x: 1 } }),
  "names of somebody else": () => ({
    claims: { preferred_username: undefined },
    userinfo: { sub: "somebody-else", preferred_username: "root" },
  }),
  "another issuer in its discovery": () => ({ discovery: { issuer: "https://accounts.example" } }),
};

describe("hazard F7 an issuer", () => {
  test.each(Object.entries(falsehoods))("is refused with %s", async (_name, lies) => {
    const before = await usersTotal();
    const answer = await signIn(lies());
    expect(answer).toMatchObject({ success: false, code: "provider_refused" });
    expect(await usersTotal()).toBe(before);
  });

  test("is refused with HS256 by the text of its public key", async () => {
    const macSecret = await issuer.publicPem();
    for (const discovery of [{}, announces("HS256", "ES256")]) {
      const answer = await signIn({ header: { alg: "HS256" }, macSecret, discovery });
      expect(answer).toMatchObject({ success: false, code: "provider_refused" });
    }
  });
});

test("hazard F8 an issuer does not pass for another: the callback names who it is from", async () => {
  const announced = { authorization_response_iss_parameter_supported: true };
  const cases: [Lies, boolean][] = [
    [{ brought: { iss: "https://accounts.example" } }, false],
    [{ discovery: announced }, false],
    [{ discovery: announced, brought: { iss: "https://accounts.example" } }, false],
    [{ discovery: announced, brought: { iss: issuer.url } }, true],
    [{ brought: { iss: issuer.url } }, true],
  ];
  for (const [lies, isFine] of cases) {
    expect([lies, (await signIn(lies)).success]).toEqual([lies, isFine]);
  }
});

test("hazard F2 an issuer's code of another sign-in is worth nothing in this one", async () => {
  const stolen = new URL(await fetchCallback(newBrowser(), "liar"), origin);
  const attacker = newBrowser();
  const own = new URL(await fetchCallback(attacker, "liar"), origin);
  own.searchParams.set("code", stolen.searchParams.get("code") ?? "");
  expect(await attacker.call("GET", own.pathname + own.search)).toMatchObject({
    success: false,
    code: "provider_refused",
  });
  expect(await attacker.isSignedIn()).toBe(false);
});

describe("hazard F9 the gateway", () => {
  const elsewhere = () => Response.redirect(`${issuer.url}/elsewhere`);
  const only = (wanted: string, reply: () => Response) => ({
    instead: (path: string) => (path === wanted ? reply() : null),
  });

  test.each(["token_endpoint", "jwks_uri"])(
    "is sent to no address inside by the %s of an issuer",
    async (name) => {
      const places = [
        "http://169.254.169.254/latest",
        "http://[fd00:ec2::254]/",
        "http://0.0.0.0/",
      ];
      for (const place of [...places, "file:///etc/passwd", "ftp://x.example/", "no address"]) {
        const answer = await signIn({ discovery: { [name]: place } });
        expect([place, answer.success]).toEqual([place, false]);
      }
    },
  );

  test("follows no redirect of an issuer", async () => {
    for (const path of ["/.well-known/openid-configuration", "/token", "/jwks", "/userinfo"]) {
      const lies = { ...only(path, elsewhere), claims: { preferred_username: undefined } };
      expect([path, (await signIn(lies)).success]).toEqual([path, false]);
    }
    expect(issuer.asked).not.toContain("/elsewhere");
  });

  test("reads nothing of an issuer that has no end or is too deep", async () => {
    const endless = () => new Response("x".repeat(3_000_000));
    const deep = () =>
      new Response("[".repeat(500_000), { headers: { "content-type": "application/json" } });
    for (const path of ["/.well-known/openid-configuration", "/token", "/jwks"]) {
      for (const reply of [endless, deep]) {
        expect([path, (await signIn(only(path, reply))).success]).toEqual([path, false]);
      }
    }
  });

  test("sends no browser to a script of an issuer", async () => {
    for (const place of ["javascript:alert(1)", "data:text/html,x", "ftp://x.example/"]) {
      const answer = await signIn({ discovery: { authorization_endpoint: place } });
      expect([place, answer.code]).toEqual([place, "provider_refused"]);
    }
  });
});

test("hazard G13 H1 an issuer's names stay text, in bounds and on one line", async () => {
  const name = `<img src=x onerror=alert(1)>\r\n\u0000${"y".repeat(5000)}`;
  issuer.lies = { claims: { sub: "liar-names", preferred_username: name, name } };
  const at = newBrowser();
  const { data } = await at.call("GET", await fetchCallback(at, "liar"));
  issuer.lies = {};
  expect((data as { username: string }).username).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  const response = await at.send("GET", "/api/user/self/identities");
  expect(response.headers.get("content-type")).toStartWith("application/json");
  const text = await response.text();
  expect(text.length).toBeLessThan(1000);
  const wanted = expect.stringMatching(/^<img src=x onerror=alert\(1\)>y+$/);
  expect(JSON.parse(text)).toMatchObject({ data: { items: [{ display_name: wanted }] } });
  expect(gateway.output).not.toContain("onerror");
});
