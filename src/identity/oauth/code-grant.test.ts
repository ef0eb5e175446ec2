import { describe, expect, test } from "bun:test";
import type { OAuthSettings } from "../../config/oauth.ts";
import { createDiscord } from "./discord.ts";
import { createDiscourse } from "./discourse.ts";
import { createGithub } from "./github.ts";
import { ProviderFault, type CreateProvider, type ProviderCall } from "./provider.ts";

interface Said {
  status?: number;
  body: unknown;
}

const bearer: Said = { body: { access_token: "abc", token_type: "bearer" } };
const returned = {
  query: new URLSearchParams("code=c&state=s"),
  state: "s",
  redirectUri: "https://gate.example/api/oauth/x",
  codeVerifier: "verifier",
  nonce: "n",
};

function settingsOf(type: OAuthSettings["type"], changes: Partial<OAuthSettings>): OAuthSettings {
  return {
    name: "x",
    type,
    clientId: "id",
    clientSecret: "a secret & more",
    clientIn: null,
    issuer: null,
    endpoints: {},
    scopes: null,
    allowPrivate: false,
    groups: null,
    ...changes,
  };
}

/** A provider that says these things in turn. */
function provider(
  create: CreateProvider,
  said: readonly Said[],
  changes: Partial<OAuthSettings> = {},
) {
  const calls: ProviderCall[] = [];
  const made = create(settingsOf("github", changes), async (call) => {
    const { status = 200, body } = said[calls.length] ?? { body: "" };
    calls.push(call);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return { status, headers: new Headers(), body: new TextEncoder().encode(text) };
  });
  return { calls, ask: () => made.identify(returned), made };
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ProviderFault) return error.message;
    throw error;
  }
  throw new Error("it was believed");
}

test("a browser is sent away with everything that ties its return to it", async () => {
  const { made } = provider(createDiscord, []);
  const ask = { state: "s 1", nonce: "n", codeChallenge: "ch", redirectUri: returned.redirectUri };
  const url = new URL(await made.authorizeUrl(ask));
  expect(url.origin + url.pathname).toBe("https://discord.com/oauth2/authorize");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: "code",
    client_id: "id",
    redirect_uri: "https://gate.example/api/oauth/x",
    state: "s 1",
    scope: "identify",
    code_challenge: "ch",
    code_challenge_method: "S256",
  });
});

test("other endpoints and scopes take the place of the type's own, each by itself", async () => {
  const endpoints = { authorize: "https://git.corp.example/login/oauth/authorize" };
  const { made, calls, ask } = provider(createGithub, [bearer, { body: { id: 1, login: "a" } }], {
    endpoints,
    scopes: ["read:user", "read:org"],
  });
  const url = new URL(await made.authorizeUrl({ ...returned, codeChallenge: "ch" }));
  expect(url.host).toBe("git.corp.example");
  expect(url.searchParams.get("scope")).toBe("read:user read:org");
  await ask();
  expect(calls.map((call) => call.url)).toEqual([
    "https://github.com/login/oauth/access_token",
    "https://api.github.com/user",
  ]);
});

describe("the code", () => {
  test("is exchanged with the secret in the body, or in a header", async () => {
    const user = { body: { id: 1, login: "a", username: "a" } };
    const inBody = provider(createGithub, [bearer, user]);
    await inBody.ask();
    expect(inBody.calls[0]?.headers).toEqual({
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(Object.fromEntries(new URLSearchParams(inBody.calls[0]?.body))).toEqual({
      grant_type: "authorization_code",
      code: "c",
      redirect_uri: "https://gate.example/api/oauth/x",
      code_verifier: "verifier",
      client_id: "id",
      client_secret: "a secret & more",
    });
    const inHeader = provider(createDiscourse, [bearer, user]);
    await inHeader.ask();
    const known = btoa("id:a+secret+%26+more");
    expect(inHeader.calls[0]?.headers["authorization"]).toBe(`Basic ${known}`);
    expect(inHeader.calls[0]?.body).not.toContain("secret");
    expect(inHeader.calls[1]?.headers["authorization"]).toBe("Bearer abc");
    const asTold = provider(createDiscourse, [bearer, user], { clientIn: "body" });
    await asTold.ask();
    expect(asTold.calls[0]?.headers["authorization"]).toBeUndefined();
    expect(asTold.calls[0]?.body).toContain("client_secret=a+secret");
  });

  test("that is refused leads no further, whatever the status", async () => {
    const refusals: [Said, string][] = [
      [
        { body: { error: "bad_verification_code" } },
        "the token: status 200, bad_verification_code",
      ],
      [{ status: 400, body: { error: "invalid_grant" } }, "the token: status 400, invalid_grant"],
      [{ status: 401, body: { access_token: "abc" } }, "the token: status 401, no word"],
      [{ body: { error: "<b>x</b>", access_token: "abc" } }, "the token: status 200, no word"],
      [{ body: { token_type: "bearer" } }, "there is no token"],
      [{ body: { access_token: "a b" } }, "there is no token"],
      [{ body: { access_token: "a\r\nx: y" } }, "there is no token"],
      [{ body: { access_token: 5 } }, "there is no token"],
      [{ body: { access_token: "abc", token_type: "mac" } }, "the token is of an unknown kind"],
      [{ body: "access_token=abc&token_type=bearer" }, "no JSON came with status 200"],
      [{ status: 502, body: "<html>" }, "no JSON came with status 502"],
      [{ body: "[]" }, "no object came with status 200"],
    ];
    for (const [said, message] of refusals) {
      const { ask, calls } = provider(createGithub, [said, { body: { id: 1, login: "a" } }]);
      expect(await faultOf(ask())).toBe(message);
      expect(calls).toHaveLength(1);
    }
  });
});

describe("the person", () => {
  async function personOf(create: CreateProvider, user: unknown) {
    return await provider(create, [bearer, { body: user }]).ask();
  }

  test("is the provider's own id, of its own issuer", async () => {
    expect(await personOf(createGithub, { id: 583_231, login: "octocat", name: null })).toEqual({
      issuer: "https://api.github.com",
      subject: "583231",
      username: "octocat",
      displayName: "octocat",
    });
    const nelly = { id: "80351110224678912", username: "nelly", global_name: "Nelly" };
    expect(await personOf(createDiscord, nelly)).toEqual({
      issuer: "https://discord.com",
      subject: "80351110224678912",
      username: "nelly",
      displayName: "Nelly",
    });
    const neo = { id: 124, username: "neo", name: "Neo", active: true, trust_level: 2 };
    expect(await personOf(createDiscourse, neo)).toEqual({
      issuer: "https://connect.linux.do",
      subject: "124",
      username: "neo",
      displayName: "Neo",
    });
  });

  test("hazard F6 without an id that can be trusted is nobody", async () => {
    const ids = [undefined, null, "", "583231", 0, -1, 1.5, 2 ** 53, true, [1], { id: 1 }];
    for (const id of ids) {
      const user = { id, login: "octocat", username: "octocat", email: "root@corp.example" };
      expect(await faultOf(personOf(createGithub, user))).toBe("there is no subject");
      expect(await faultOf(personOf(createDiscourse, user))).toBe("there is no subject");
    }
    for (const id of [1, "", "abc", "1 2", "9".repeat(21), null]) {
      const user = { id, username: "nelly" };
      expect(await faultOf(personOf(createDiscord, user))).toBe("there is no subject");
    }
  });

  test("whom the provider does not show is nobody", async () => {
    const { ask } = provider(createGithub, [bearer, { status: 401, body: { id: 1, login: "a" } }]);
    expect(await faultOf(ask())).toBe("the user: status 401");
    const inactive = { id: 1, username: "neo", active: false };
    expect(await faultOf(personOf(createDiscourse, inactive))).toBe(
      "the forum's account is not active",
    );
  });

  test("hazard G13 has a name without control characters, in bounds", async () => {
    const name = `\u202e<script>\u0000alert(1)\n${"x".repeat(500)}`;
    const { displayName } = await personOf(createGithub, { id: 1, login: "a", name });
    expect(displayName).toStartWith("<script>alert(1)xxx");
    expect(displayName).toHaveLength(100);
  });
});
