// A secret that is shown hidden stays where it was set for. Generated for every secret of every
// setting of the pages, and every field beside it that may decide where it is sent.
import { expect, test } from "bun:test";
import { change, settingOf, type Setting } from "../../harness/accounts/settings.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\n' }));

type Fields = Record<string, unknown>;

const smtp = {
  host: "mail.gate.example",
  port: 587,
  tls: "starttls",
  ca_file: "/etc/mail-ca.pem",
  user: "gate",
  password: "mail-canary",
  from: "gate@gate.example",
};
const client = { client_id: "gate", client_secret: "client-canary", client_auth: "body" };
const groups = {
  groups_claim: "groups",
  memberships: [{ group: "staff", role: "admin" }],
  registers: true,
  prune: false,
  keys_need_sign_in_days: 30,
};
const providers = [
  {
    name: "house",
    type: "oidc",
    issuer: "https://login.gate.example",
    allow_private: false,
    ...client,
    ...groups,
    scopes: ["openid"],
  },
  {
    name: "forge",
    type: "github",
    ...client,
    endpoints: {
      authorize: "https://forge.gate.example/authorize",
      token: "https://forge.gate.example/token",
      user: "https://forge.gate.example/user",
    },
  },
];
const destinations = [
  {
    name: "ops",
    type: "webhook",
    hook_url: "https://hooks.gate.example/canary",
    secret: "hook-canary",
    kinds: ["disk_full"],
    to: ["ops@gate.example"],
  },
];

/** A value with every field that the setting has, for each setting with a secret. */
const samples: Readonly<Record<string, unknown>> = {
  "mail.smtp": smtp,
  "oauth.providers": providers,
  "notices.destinations": destinations,
};

/** Fields that send a secret nowhere, and so may change beside one that stays hidden. */
const changeable: Readonly<Record<string, string>> = {
  "mail.smtp.from": "the sender's address stands in letters",
  "oauth.providers.scopes": "what is asked for",
  "oauth.providers.groups_claim": "read from the answer of the same provider",
  "oauth.providers.memberships": "what groups give",
  "oauth.providers.registers": "what groups give",
  "oauth.providers.prune": "what groups give",
  "oauth.providers.keys_need_sign_in_days": "what groups give",
  "notices.destinations.kinds": "which notices are told",
};

const hidden = "[secret]";

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wholesOf(value: unknown): Fields[] {
  return (Array.isArray(value) ? value : [value]).filter(isFields);
}

/** Something else of the same type. */
function otherThan(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/^(https:\/\/)?/, "$1attacker.example.");
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return [];
  if (!isFields(value)) throw new Error(`no other value than ${String(value)}`);
  return { ...value, ...Object.fromEntries(Object.entries(value).slice(0, 1).map(changedEntry)) };
}

const changedEntry = ([name, value]: [string, unknown]): [string, unknown] => [
  name,
  otherThan(value),
];

async function settingsWithSecrets(): Promise<Setting[]> {
  const { items } = await gateway.control<{ items: Setting[] }>("GET", "/api/setting");
  return items.filter(({ page, value }) => page && JSON.stringify(value).includes(hidden));
}

async function patch(name: string, value: unknown) {
  const body = { changes: [{ name, value }] };
  const envelope = await gateway.controlEnvelope("PATCH", "/api/setting", body);
  return envelope as typeof envelope & { param?: string };
}

/** The whole with another value of each field that is not hidden, and without it. */
function changesOf(whole: Fields): [field: string, changed: Fields][] {
  const fields = Object.keys(whole).filter((field) => whole[field] !== hidden);
  return fields.flatMap((field): [string, Fields][] => {
    const { [field]: value, ...without } = whole;
    return [
      [field, { ...whole, [field]: otherThan(value) }],
      [field, without],
    ];
  });
}

function expectAskedAgain(
  path: string,
  { success, message, param }: Awaited<ReturnType<typeof patch>>,
  secrets: readonly string[],
): void {
  if (path in changeable) {
    expect([path, message]).not.toEqual([path, expect.stringMatching(/again|hidden/)]);
    return;
  }
  expect([path, success, message]).toEqual([
    path,
    false,
    expect.stringMatching(/is required again, because|is hidden, and no stored secret/),
  ]);
  expect(secrets.some((secret) => param?.endsWith(`.${secret}`))).toBe(true);
}

/** Names of all properties that the schema of a setting has. */
function propertiesOf(schema: unknown): string[] {
  if (!isFields(schema)) return [];
  const { properties, items } = schema;
  return [...(isFields(properties) ? Object.keys(properties) : []), ...propertiesOf(items)];
}

test("hazard G11 every setting of a page with a secret is among the samples, with every field", async () => {
  const { items } = await gateway.control<{ items: Setting[] }>("GET", "/api/setting");
  const secretName = /"(?:[a-z_]*(?:password|secret|token|credential)|key|keys|headers|hook_url)":/;
  const withSecrets = items.filter(({ schema }) => secretName.test(JSON.stringify(schema ?? null)));
  expect(withSecrets.map(({ name }) => name).toSorted()).toEqual(Object.keys(samples).toSorted());
  for (const { name, schema } of withSecrets) {
    const sampled = new Set(wholesOf(samples[name]).flatMap((whole) => Object.keys(whole)));
    expect([name, [...sampled].toSorted()]).toEqual([name, propertiesOf(schema).toSorted()]);
  }
});

test("hazard G11 a hidden secret is asked for again once anything that may move it changes", async () => {
  await change(gateway, samples);
  let tried = 0;
  for (const name of Object.keys(samples)) {
    const { stated } = await settingOf(gateway, name);
    const wholes = wholesOf(stated?.value);
    expect(JSON.stringify(wholes)).not.toContain("canary");
    for (const [index, whole] of wholes.entries()) {
      const secrets = Object.keys(whole).filter((field) => whole[field] === hidden);
      expect([name, secrets.length > 0]).toEqual([name, true]);
      for (const [field, changed] of changesOf(whole)) {
        const sent = Array.isArray(stated?.value) ? wholes.with(index, changed) : changed;
        const answered = await patch(name, sent);
        tried++;
        expectAskedAgain(`${name}.${field}`, answered, secrets);
      }
    }
    await change(gateway, { [name]: samples[name] });
  }
  expect(tried).toBeGreaterThan(40);
  expect((await settingsWithSecrets()).length).toBeGreaterThan(0);
});

test("hazard G11 a hook's address is asked for again with none of its secrets, and a new one is taken", async () => {
  const name = "notices.destinations";
  const [hook] = destinations;
  const moved = { ...hook, hook_url: "https://attacker.example/", secret: hidden };
  expect(await patch(name, [moved])).toMatchObject({
    success: false,
    param: `${name}.0.secret`,
    message: expect.stringContaining("because hook_url changed"),
  });
  expect(await patch(name, [{ ...moved, secret: "entered again" }])).toMatchObject({
    success: true,
  });
  await change(gateway, { [name]: null });
});
