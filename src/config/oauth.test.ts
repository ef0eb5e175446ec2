import { describe, expect, test } from "bun:test";
import { loadConfig } from "./load.ts";
import { ConfigError } from "./problems.ts";

const github = "name: github, type: github, client_id: c, client_secret: s";
const oidc = "name: corp, type: oidc, client_id: c, client_secret: s";

type Texts = Record<string, string>;

async function load(providers: string[], environment: Texts = {}, files: Texts = {}) {
  const lines = providers.map((provider) => `    - { ${provider} }`);
  const text = ["oauth:", "  providers:", ...lines].join("\n");
  const { oauth } = await loadConfig({
    environment: { SLUICE_CONFIG: "sluice.yaml", ...environment },
    readFile: (path) => (path === "sluice.yaml" ? text : (files[path] ?? null)),
  });
  return oauth;
}

async function problems(providers: string[], environment: Texts = {}, files: Texts = {}) {
  try {
    await load(providers, environment, files);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((text) => text.split(" ").slice(1));
    throw error;
  }
  return [];
}

const problemTexts = async (...given: Parameters<typeof problems>) =>
  (await problems(...given)).map((words) => words.join(" "));

test("a provider is read as it is declared", async () => {
  expect(
    await load([github, `${oidc}, issuer: "https://id.example/realm", scopes: [openid, groups]`]),
  ).toEqual({
    landing: "/",
    providers: [
      {
        name: "github",
        type: "github",
        clientId: "c",
        clientSecret: "s",
        clientIn: null,
        issuer: null,
        endpoints: {},
        scopes: null,
        allowPrivate: false,
        groups: null,
      },
      {
        name: "corp",
        type: "oidc",
        clientId: "c",
        clientSecret: "s",
        clientIn: null,
        issuer: "https://id.example/realm",
        endpoints: {},
        scopes: ["openid", "groups"],
        allowPrivate: false,
        groups: null,
      },
    ],
  });
});

test("names stand in addresses and are unique", async () => {
  const message =
    "oauth.providers.0.name must be 1 to 32 small letters, digits or - that begin with a letter, " +
    "and not state";
  for (const name of ["state", "Git", "a b", "a/b", "1a", "..", "x".repeat(33), "a_b"]) {
    const provider = `name: "${name}", type: github, client_id: c, client_secret: s`;
    expect(await problemTexts([provider])).toEqual([message]);
  }
  expect(await problemTexts([github, github])).toEqual([
    "oauth.providers.1.name is the same as oauth.providers.0.name",
  ]);
});

test("an issuer belongs to oidc, endpoints to the others", async () => {
  expect(await problemTexts([oidc])).toEqual([
    "oauth.providers.0.issuer is required for type oidc",
  ]);
  expect(await problemTexts([`${github}, issuer: "https://id.example"`])).toEqual([
    "oauth.providers.0.issuer is not known to type github",
  ]);
  const document = "https://id.example/.well-known/openid-configuration";
  expect(await problemTexts([`${oidc}, issuer: "${document}"`])).toEqual([
    "oauth.providers.0.issuer must be the issuer, not its discovery document",
  ]);
  const both = `${oidc}, issuer: "https://id.example", endpoints: { user: "https://id.example/u" }`;
  expect(await problemTexts([both])).toEqual([
    "oauth.providers.0.endpoints are told by the issuer for type oidc",
  ]);
});

describe("hazard F9 an address", () => {
  const said = "must be a public https address; allow_private: true permits others";

  test("that is private or plain http needs allow_private", async () => {
    const urls = [
      "http://id.example",
      "https://127.0.0.1",
      "https://169.254.169.254",
      "https://[::1]:8443",
      "https://id.internal",
      "https://0x7f000001",
    ];
    for (const url of urls) {
      const issuer = `${oidc}, issuer: "${url}"`;
      expect(await problemTexts([issuer])).toEqual([`oauth.providers.0.issuer ${said}`]);
      expect((await load([`${issuer}, allow_private: true`])).providers).toHaveLength(1);
      const user = `${github}, endpoints: { user: "${url}" }`;
      expect(await problemTexts([user])).toEqual([`oauth.providers.0.endpoints.user ${said}`]);
    }
  });

  test("that is none is refused in any case", async () => {
    for (const url of ["file:///etc", "javascript:1", "https://u:p@id.example", "id.example"]) {
      expect(await problemTexts([`${oidc}, allow_private: true, issuer: "${url}"`])).toHaveLength(
        1,
      );
    }
  });
});

describe("the secret", () => {
  const bare = "name: my-forum, type: discourse, client_id: c";
  const variable = "SLUICE_OAUTH_MY_FORUM_SECRET";

  test("comes from the file, the environment or a file that it names", async () => {
    const secretOf = async (...given: Parameters<typeof load>) =>
      (await load(...given)).providers[0]?.clientSecret;
    expect(await secretOf([`${bare}, client_secret: own`])).toBe("own");
    expect(await secretOf([`${bare}, client_secret: own`], { [variable]: "other" })).toBe("other");
    const named = { [`${variable}_FILE`]: "secret.txt" };
    expect(await secretOf([bare], named, { "secret.txt": "third\n" })).toBe("third");
  });

  test("must be there once", async () => {
    const [missing = ""] = await problemTexts([bare]);
    expect(missing).toBe(`is required, or ${variable}`);
    const both = { [variable]: "a", [`${variable}_FILE`]: "secret.txt" };
    expect(await problemTexts([bare], both)).toEqual([
      `${variable} and ${variable}_FILE must not both be set`,
    ]);
    expect(await problemTexts([bare], { [`${variable}_FILE`]: "none" })).toEqual([
      `${variable}_FILE names a file that is empty or cannot be read`,
    ]);
  });

  test("of a provider that is not there is told, as any variable is", async () => {
    expect(await problemTexts([github], { SLUICE_OAUTH_GITLAB_SECRET: "x" })).toEqual([
      "SLUICE_OAUTH_GITLAB_SECRET belongs to no provider",
    ]);
    expect(await problemTexts([github], { SLUICE_OAUTH_GITHUB: "x" })).toHaveLength(1);
  });
});

test("hazard F4 the landing is a path of our own", async () => {
  async function of(landing: string) {
    const { oauth } = await loadConfig({
      environment: { SLUICE_CONFIG: "sluice.yaml" },
      readFile: () => `oauth:\n  landing: ${JSON.stringify(landing)}\n`,
    });
    return oauth.landing;
  }
  for (const landing of ["/", "/console", "/a/b-c.html"]) expect(await of(landing)).toBe(landing);
  const others = [
    "//evil.example",
    "/\\evil",
    "https:evil",
    "javascript:1",
    "",
    "x",
    "/a?b",
    "/#a",
  ];
  for (const landing of [...others, "/a\\b", "/a b"]) {
    await expect(of(landing)).rejects.toThrow(ConfigError);
  }
});
