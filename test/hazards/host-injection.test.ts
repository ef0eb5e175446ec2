// Hostile texts in every field of every channel type: whatever is built of them, a request goes to
// the host that the channel names or to one of its cloud, and a changed host asks for the key
// again.
import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "bun:test";
import { isCloud } from "../../src/config/cloud/rules.ts";
import { channelFormats, type ChannelInput } from "../../src/config/entities.ts";
import { channelChecker } from "../../src/config/entity-rules.ts";
import { channelPatch } from "../../src/admin/channel/input-contract.ts";
import { planChange } from "../../src/admin/channel/plan.ts";
import { toRow } from "../../src/admin/channel/row.ts";
import type { ChannelId } from "../../src/core/ids.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { PassMeans } from "../../src/core/pass/pass.ts";
import { vendorFieldNames, type VendorFields } from "../../src/core/pass/vendor-fields.ts";
import { systemClock } from "../../src/core/clock.ts";
import { systemRandom } from "../../src/core/random.ts";
import { createSeal } from "../../src/core/seal.ts";
import { upstreams } from "../../src/upstreams/index.ts";
import type { Address, Target, Upstream, VendorCall } from "../../src/upstreams/upstream.ts";

const hostile = [
  "attacker.example",
  "attacker.example/",
  "attacker.example/?",
  "attacker.example/x?y=",
  "attacker.example#",
  "attacker.example\\",
  "attacker.example%2f",
  "attacker.example:443/",
  "user@attacker.example",
  "user:word@attacker.example/",
  "@attacker.example",
  ":80",
  ":80/",
  "127.0.0.1:80/?",
  "0x7f.1/",
  "[::1]",
  "[::1]:80/?",
  "//attacker.example/",
  "https://attacker.example/",
  "?",
  "#",
  "\\",
  "\\\\attacker.example",
  "/",
  "..",
  "../..",
  "%2e%2e/%2e%2e",
  "%00",
  "a.b",
  "attacker。example／?",
  "ａttacker．example",
  "us-east-1.attacker.example",
  "us-east-1/",
  "\t/attacker.example",
  "\r\nhost: attacker.example",
];

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
const account = {
  type: "service_account",
  client_email: "a@p.iam.gserviceaccount.com",
  private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
  project_id: "p",
};
const federated = {
  type: "external_account",
  audience: "a",
  subject_token_type: "t",
  credential_source: { url: "https://token.example/t" },
};
const machineWords = ["identity", "workload", "instance", "container", "web_identity"];
/** Each is tried with every type; what a type does not know is an API key to it. */
const keys = [
  "plain-key-0001",
  "plain-key-0001 access:secret",
  "access:secret",
  ...machineWords,
  JSON.stringify({ tenant_id: "t", client_id: "c", client_secret: "s" }),
  JSON.stringify(account),
  JSON.stringify(federated),
];

const cloudBases: Readonly<Record<string, readonly string[]>> = {
  azure: ["https://res.openai.azure.com"],
  bedrock: [
    "https://bedrock-runtime.us-east-1.amazonaws.com",
    "https://bedrock-mantle.us-east-1.api.aws/v1",
    "https://aws-external-anthropic.us-east-1.api.aws",
  ],
  vertex: ["https://aiplatform.googleapis.com", "https://proxy.example/vertex"],
};
const baseUrlsOf = (type: string) => cloudBases[type] ?? ["https://vendor.example/v1"];

/** Domains under which no customer chooses a host of a form that is built here. */
const vendorHosts: readonly RegExp[] = [
  /^(?:[a-z]+(?:-[a-z]+)+\d+-)?aiplatform\.googleapis\.com$/,
  /^aiplatform\.[a-z]+\.rep\.googleapis\.com$/,
  /^(?:oauth2|sts|iamcredentials)\.googleapis\.com$/,
  /^sts\.[a-z]{2,4}(?:-[a-z]+)+-\d\.amazonaws\.com(?:\.cn)?$/,
  /^bedrock\.us-east-1\.amazonaws\.com$/,
  /^login\.microsoftonline\.(?:com|us)$/,
  // The machine's own metadata, which the environment names.
  /^169\.254\.169\.254$|^169\.254\.170\.2$|^metadata\.google\.internal$/,
];

const variables: Readonly<Record<string, string>> = {
  AZURE_TENANT_ID: "t",
  AZURE_CLIENT_ID: "c",
  AZURE_FEDERATED_TOKEN_FILE: "/f",
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/v2/x",
  AWS_WEB_IDENTITY_TOKEN_FILE: "/f",
  AWS_ROLE_ARN: "arn:aws:iam::1:role/r",
  GOOGLE_APPLICATION_CREDENTIALS: "/adc",
};
const granted = {
  access_token: "granted",
  expires_in: 3600,
  accessToken: "granted",
  expireTime: "2099-01-01T00:00:00Z",
  AccessKeyId: "A",
  SecretAccessKey: "S",
  SessionToken: "T",
  Token: "T",
  Expiration: "2099-01-01T00:00:00Z",
};

/** Everything that a target sends to, without sending it. */
class Walk {
  readonly urls: string[] = [];
  readonly #obtained = new Set<string>();
  readonly #target: Target;
  readonly #upstream: Upstream;

  constructor(type: string, target: Target) {
    const upstream = upstreams[type];
    if (!upstream) throw new Error(`no upstream ${type}`);
    this.#upstream = upstream;
    this.#target = target;
  }

  async run(model: string): Promise<void> {
    const { text, image, video, imgF, assets, check, models } = this.#upstream;
    for (const format of new Set(
      [null, ...channelFormats].flatMap((one) => text?.formats(one) ?? []),
    )) {
      for (const action of ["generate", "count", "compact"] as const) {
        const ask = { format, action, model, stream: false, wireHeaders: {} };
        await this.#take(() => text?.address(ask, this.#target) ?? null);
      }
    }
    await this.#take(() => text?.stored?.(`stored/${model}`, this.#target) ?? null);
    const send: VendorCall["send"] = async ({ address }) => {
      await this.#take(() => address);
      return { status: 200, headers: new Headers(), json: {} };
    };
    const call = { target: this.#target, nowSeconds: 1, send, taskId: "t", model, reference: "r" };
    const works = [
      () => check?.(call),
      () => models?.(call),
      () => video?.status(model, call),
      () => video?.find?.(call),
      () => video?.cancel?.(model, call),
      () => imgF?.status(model, { ...call, parent: null }),
      () => assets?.status(model, call),
      () => image?.stream && undefined,
    ];
    for (const work of works) await quietly(async () => await work());
  }

  async #take(build: () => Address | null): Promise<void> {
    await quietly(async () => {
      const address = build();
      if (address === null) return;
      this.urls.push(address.url);
      const means: PassMeans = {
        nowSeconds: 1,
        variable: (name) => variables[name],
        readFile: async (path) => (path === "/adc" ? JSON.stringify(account) : "token"),
        send: async ({ url }) => {
          this.urls.push(url);
          const text = url.endsWith("/api/token") ? "token" : JSON.stringify(granted);
          return { status: 200, headers: new Headers(), text };
        },
      };
      const { pass } = address;
      if (!pass || this.#obtained.has(pass.name)) return;
      this.#obtained.add(pass.name);
      await pass.obtain(means);
    });
  }
}

/** A refusal is what is hoped for; only places count. */
async function quietly(work: () => Promise<unknown>): Promise<void> {
  await work().catch(() => {});
}

async function hostsOf(type: string, target: Target, model = "m"): Promise<Set<string>> {
  const walk = new Walk(type, target);
  await walk.run(model);
  return new Set(walk.urls.map((url) => URL.parse(url)?.host ?? `unreadable: ${url}`));
}

interface Attempt {
  what: string;
  type: string;
  target: Target;
  model?: string;
}

function* attempts(): Iterable<Attempt> {
  for (const type of Object.keys(upstreams)) {
    const ofType = type in cloudBases ? keys : keys.slice(0, 2);
    for (const baseUrl of baseUrlsOf(type)) {
      for (const text of hostile) {
        for (const key of ofType) yield* fieldAttempts(type, { baseUrl, key, headers: {} }, text);
        const plain = { baseUrl, key: keys[0] ?? "", headers: {} };
        yield { what: `model ${text}`, type, target: plain, model: text };
        const path = `${baseUrl}/v1/projects/${text}/locations/${text}`;
        if (channelChecker.faults(channelOf(type, { base_url: path })).length === 0) {
          yield { what: `path ${text}`, type, target: { ...plain, baseUrl: path } };
        }
      }
    }
  }
}

/** The text in each field of the cloud's, and in each part of a key that has parts. */
function* fieldAttempts(type: string, target: Target, text: string): Iterable<Attempt> {
  for (const name of vendorFieldNames) {
    const vendor = { role_arn: "arn", region: "us-east-1", [name]: text };
    yield { what: `${name} ${text}`, type, target: { ...target, vendor } };
  }
  const parts: JsonObject = target.key.startsWith("{") ? JSON.parse(target.key) : {};
  for (const name of Object.keys(parts)) {
    if (name === "private_key" || name === "credential_source") continue;
    const key = JSON.stringify({ ...parts, [name]: text });
    yield { what: `key ${name}`, type, target: { ...target, key } };
  }
}

function channelOf(type: string, fields: object): ChannelInput {
  const plain = { name: "c", key: "plain-key-0001", base_url: baseUrlsOf(type)[0], models: ["m"] };
  return { ...plain, type, ...fields } as ChannelInput;
}

test("every type that takes credentials of a cloud has an address here", () => {
  expect(Object.keys(cloudBases).toSorted()).toEqual(
    Object.keys(upstreams).filter(isCloud).toSorted(),
  );
});

test("no hostile text in any field takes a request to another host", async () => {
  const astray: string[] = [];
  let count = 0;
  for (const { what, type, target, model } of attempts()) {
    count++;
    const own = URL.parse(target.baseUrl)?.host;
    for (const host of await hostsOf(type, target, model)) {
      const isVendors = host === own || vendorHosts.some((pattern) => pattern.test(host));
      // The source of a federated identity is an address that its key names.
      if (!isVendors && host !== "token.example") astray.push(`${type} ${what}: ${host}`);
    }
  }
  expect(count).toBeGreaterThan(10_000);
  expect([...new Set(astray)]).toEqual([]);
});

/** Fields that a type needs or takes beside the one that is tried. */
const companions: readonly VendorFields[] = [{ project: "p" }, { role_arn: "r" }, {}];

function channelWith(type: string, fields: object, name: string, text: string) {
  return companions
    .map((vendor) => channelOf(type, { ...fields, vendor: { ...vendor, [name]: text } }))
    .find((channel) => channelChecker.is(channel));
}

test("hostile texts are taken only in fields that are a part of no address, or of a path", () => {
  const taken = new Set<string>();
  for (const type of Object.keys(upstreams)) {
    for (const name of vendorFieldNames) {
      if (hostile.some((text) => channelWith(type, {}, name, text))) taken.add(name);
    }
  }
  // The first is a query, percent-encoded, and a project a path; both may have a dot. The others go
  // into a body or a header.
  const exceptions = ["api_version", "external_id", "project", "role_arn", "scope", "workspace"];
  expect([...taken].toSorted()).toEqual(exceptions);
});

/** Two values of each kind of field, of which both are good. */
const samples: Readonly<Record<string, readonly string[]>> = {
  region: ["us-east-1", "eu-west-1", "cn-north-1"],
  location: ["global", "us", "europe-west1"],
};
const authorities: Readonly<Record<string, readonly string[]>> = {
  azure: ["https://login.microsoftonline.com", "https://login.microsoftonline.us"],
  bedrock: ["https://sts.us-east-1.amazonaws.com", "https://sts.eu-west-1.amazonaws.com"],
  vertex: ["https://oauth2.googleapis.com/token", "https://sts.googleapis.com/v1/token"],
};

interface Move {
  before: ChannelInput;
  after: ChannelInput;
  name: string;
}

/** Two channels that differ in one field of the cloud's, both good. */
function* moves(): Iterable<Move> {
  for (const type of Object.keys(upstreams)) {
    for (const base_url of baseUrlsOf(type)) {
      for (const name of vendorFieldNames) yield* movesOf(type, base_url, name);
    }
  }
}

function movesOf(type: string, base_url: string, name: string): Move[] {
  const values = (name === "authority" ? authorities[type] : samples[name]) ?? ["one", "two"];
  const channels = values.flatMap((text) => channelWith(type, { base_url }, name, text) ?? []);
  return channels.flatMap((before) =>
    channels.filter((after) => after !== before).map((after) => ({ before, after, name })),
  );
}

async function hostsOfChannel({ type, base_url: baseUrl, vendor }: ChannelInput): Promise<string> {
  const each = keys.map((key) => hostsOf(type, { baseUrl, key, headers: {}, vendor }));
  return (await Promise.all(each)).flatMap((hosts) => [...hosts]).join();
}

const moments = { created_at_ms: 0, updated_at_ms: 0 };
const facts = { id: "chn_1" as ChannelId, declared: 0, author: "root", ...moments } as const;
const seal = createSeal("a secret of a test that is long", systemRandom);
const needs = { clock: systemClock, seal, operator: { role: "root" } } as unknown as Parameters<
  typeof planChange
>[0];

test("a change of the host asks for the key again, whichever field makes it", async () => {
  const silent: string[] = [];
  let count = 0;
  for (const { before, after, name } of moves()) {
    const [from, to] = await Promise.all([before, after].map(hostsOfChannel));
    if (from === to) continue;
    count++;
    const body = channelPatch.parse({ vendor: { ...after.vendor } });
    try {
      planChange(needs, toRow(seal, before, facts), body);
      silent.push(`${before.type} ${name}: ${from} ${to}`);
    } catch (error) {
      expect(String(error)).toContain("required again");
    }
  }
  expect(count).toBeGreaterThan(10);
  expect(silent).toEqual([]);
});
