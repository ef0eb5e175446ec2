// Credentials as somebody may paste them, with hostile parts beside each other: none of them reads
// a file, runs a program or calls a private address, and no identity of the machine leaves its
// cloud.
import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "bun:test";
import { isCloud } from "../../src/config/cloud/rules.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { ChannelAuthor } from "../../src/core/pass/credential-rules.ts";
import type { PassCall, PassMeans } from "../../src/core/pass/pass.ts";
import { judgeUrl } from "../../src/core/url-guard.ts";
import { upstreams } from "../../src/upstreams/index.ts";
import type { Target } from "../../src/upstreams/upstream.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" });
const fileToken = "text-of-a-file";

type Choices = readonly (JsonObject | null)[];

const foreign = "https://foreign.example/t";
const privateUrl = "http://10.0.0.7/t";
const metadataUrl = "http://169.254.169.254/metadata";
const sourceUrl = "https://token.example/t";
const places = (name: string, own: string): Choices =>
  [null, own, foreign, privateUrl, metadataUrl, "file:///etc/passwd", ""].map((url) =>
    url === null ? null : { [name]: url },
  );

/** Each part of a credential in each of its forms; one of each stands beside the others. */
const partChoices: readonly Choices[] = [
  [null, { type: "external_account" }, { type: "service_account" }, { type: "authorized_user" }],
  [
    null,
    { client_email: "a@b", private_key: pem },
    { client_email: "a@b", private_key: "/etc/key" },
  ],
  [null, { audience: "a", subject_token_type: "t" }],
  [
    null,
    ...[
      { file: "/etc/shadow" },
      { url: sourceUrl },
      { url: sourceUrl, file: "/etc/shadow" },
      { url: "", file: "/etc/shadow" },
      { url: privateUrl },
      { url: metadataUrl, headers: { "metadata-flavor": "Google" } },
      { url: "file:///etc/shadow" },
      { executable: { command: "/bin/id" } },
      { url: sourceUrl, executable: { command: "/bin/id" }, file: "/etc/shadow" },
      { environment_id: "aws1", url: metadataUrl, region_url: metadataUrl },
      { certificate: { certificate_config_location: "/etc/shadow" } },
      ["/etc/shadow"],
      "/etc/shadow",
    ].map((credential_source): JsonObject => ({ credential_source })),
  ],
  places("token_url", "https://sts.googleapis.com/v1/token"),
  places("token_uri", "https://oauth2.googleapis.com/token"),
  places("service_account_impersonation_url", "https://iamcredentials.googleapis.com/v1/a"),
  [null, { tenant_id: "t", client_id: "c", client_secret: "s" }, { identity_client_id: "c" }],
  [null, { access_key_id: "a", secret_access_key: "s" }],
];

const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `\n${text}\n`,
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(text).toString("base64url"),
];
const ownBases: Readonly<Record<string, string>> = {
  azure: "https://res.openai.azure.com",
  bedrock: "https://bedrock-runtime.us-east-1.amazonaws.com",
  vertex: "https://aiplatform.googleapis.com",
};
const authors: readonly (ChannelAuthor | undefined)[] = [undefined, "operator", "root"];

/** Numbers that look like chance and are the same in every run. */
function createPicker(seed: number): <Value>(list: readonly Value[]) => Value {
  let state = seed;
  return (list) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const picked = list[Math.floor((state / 2 ** 32) * list.length)];
    if (picked === undefined && list.length === 0) throw new Error("an empty list");
    return picked as (typeof list)[number];
  };
}

interface Observed {
  files: string[];
  calls: PassCall[];
}

const variables: Readonly<Record<string, string>> = {
  AZURE_TENANT_ID: "t",
  AZURE_CLIENT_ID: "c",
  AZURE_FEDERATED_TOKEN_FILE: "/own/token",
  AWS_WEB_IDENTITY_TOKEN_FILE: "/own/token",
  AWS_ROLE_ARN: "arn:aws:iam::1:role/r",
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/v2/x",
  GOOGLE_APPLICATION_CREDENTIALS: "/own/adc",
};
const granted = JSON.stringify({
  access_token: "granted",
  accessToken: "granted",
  expires_in: 3600,
  expireTime: "2099-01-01T00:00:00Z",
  AccessKeyId: "A",
  SecretAccessKey: "S",
  SessionToken: "T",
  Token: "T",
  Expiration: "2099-01-01T00:00:00Z",
});

/** Files that are read and calls that are made on the way to a grant, and whether there is one. */
async function observe(type: string, target: Target): Promise<Observed & { isGranted: boolean }> {
  const seen: Observed = { files: [], calls: [] };
  const means: PassMeans = {
    nowSeconds: 1,
    variable: (name) => variables[name],
    async readFile(path) {
      seen.files.push(path);
      const own = { type: "service_account", client_email: "a@b", private_key: pem };
      return path === "/own/adc" ? JSON.stringify(own) : fileToken;
    },
    async send(call) {
      seen.calls.push(call);
      const text = call.url.endsWith("/api/token") ? "token" : granted;
      return { status: 200, headers: new Headers(), text };
    },
  };
  const { text } = upstreams[type] ?? {};
  const isGranted = await (async () => {
    for (const format of text?.formats(null) ?? []) {
      const ask = {
        format,
        action: "generate",
        model: "m",
        stream: false,
        wireHeaders: {},
      } as const;
      const pass = text?.address(ask, target)?.pass;
      if (pass) return (await pass.obtain(means)) !== null;
    }
    return false;
  })().catch(() => false);
  return { ...seen, isGranted };
}

const isVendors = (url: string) =>
  /^https:\/\/(?:oauth2|sts|iamcredentials)\.googleapis\.com\//.test(url) ||
  url.startsWith("https://sts.us-east-1.amazonaws.com/") ||
  url.startsWith("https://login.microsoftonline.com/");

test("every type that takes credentials of a cloud has an address here", () => {
  expect(Object.keys(ownBases).toSorted()).toEqual(
    Object.keys(upstreams).filter(isCloud).toSorted(),
  );
});

test("no pasted credential reads a file, or calls what its author may not reach", async () => {
  const pick = createPicker(20_261_119);
  const faults = new Set<string>();
  let grants = 0;
  for (let count = 0; count < 12_000; count++) {
    const type = pick(Object.keys(upstreams).filter((name) => name in ownBases));
    const parts = partChoices.reduce<JsonObject>((all, one) => ({ ...all, ...pick(one) }), {});
    if ("identity_client_id" in parts) delete parts["tenant_id"];
    const author = pick(authors);
    const allowPrivate = pick([true, false]);
    const baseUrl = pick([ownBases[type] ?? "", foreign]);
    const key = pick(encodings)(JSON.stringify(parts));
    const vendor = pick([{}, { authority: privateUrl }, { authority: foreign }]);
    const fields = { project: "p", region: "us-east-1", role_arn: "r", ...vendor };
    const target: Target = { baseUrl, key, headers: {}, allowPrivate, author, vendor: fields };
    const { files, calls, isGranted } = await observe(type, target);
    if (isGranted) grants++;
    const where = `${type} by ${author}, private ${allowPrivate}: ${JSON.stringify(parts)}`;
    if (files.length > 0) faults.add(`reads ${files.join()}, ${where}`);
    const isMachines = type === "azure" && "identity_client_id" in parts;
    if (isMachines && author !== "root" && baseUrl === foreign && calls.length > 0) {
      faults.add(`lends the machine's identity, ${where}`);
    }
    for (const { url, isPublic } of calls) {
      if (isVendors(url) || (isMachines && judgeUrl(url) === "private")) continue;
      if (url === sourceUrl && (isPublic === true || (author === "root" && allowPrivate))) continue;
      // The address where a channel's own secret is exchanged is said by whoever has the secret.
      const isOwnAuthority = url.startsWith(vendor.authority ?? "-") && allowPrivate;
      if (isOwnAuthority && url.startsWith(privateUrl)) continue;
      const isRoots = author === "root" && allowPrivate && judgeUrl(url) === "private";
      if (!isRoots) faults.add(`calls ${url}, ${where}`);
    }
  }
  expect(grants).toBeGreaterThan(300);
  expect([...faults].slice(0, 5)).toEqual([]);
});

const words = ["identity", "workload", "instance", "container", "web_identity"];
const strangers = [
  foreign,
  privateUrl,
  "http://127.0.0.1:1",
  "https://mine.azure-api.net",
  "https://mine.execute-api.us-east-1.amazonaws.com",
  "https://storage.googleapis.com/mine",
];

/** Every combination of one value of each list. */
function combine<Fields extends object>(lists: {
  [Name in keyof Fields]: readonly Fields[Name][];
}) {
  return Object.entries(lists).reduce<object[]>(
    (all, [name, values]) =>
      all.flatMap((fields) => (values as unknown[]).map((value) => ({ ...fields, [name]: value }))),
    [{}],
  ) as Fields[];
}

interface Lending {
  type: string;
  key: string;
  place: string;
  authority: string | undefined;
  allowPrivate: boolean;
  author: ChannelAuthor | undefined;
}

const lendings = combine<Lending>({
  type: Object.keys(ownBases),
  key: words,
  place: ["own", "own without TLS", ...strangers],
  authority: [undefined, privateUrl, foreign],
  allowPrivate: [true, false],
  author: [undefined, "operator", "root", "config"],
});

test("a word for the machine's identity is granted for the cloud's own hosts, or to root", async () => {
  const faults: string[] = [];
  let grants = 0;
  for (const { type, key, place, authority, allowPrivate, author } of lendings) {
    const own = ownBases[type] ?? "";
    const http = own.replace("https:", "http:");
    const baseUrl = { own, "own without TLS": http }[place] ?? place;
    const vendor = { project: "p", region: "us-east-1", ...(authority && { authority }) };
    const target = { baseUrl, key, headers: {}, allowPrivate, author, vendor };
    const { isGranted, calls, files } = await observe(type, target);
    if (isGranted) grants++;
    const isUsed = isGranted || calls.length > 0 || files.length > 0;
    const isStrangers = baseUrl !== own || authority !== undefined;
    const isOwner = author === "root" || author === "config";
    if (!isUsed || !isStrangers || isOwner) continue;
    faults.push(`${type} ${key} at ${baseUrl} by ${author}, exchanged at ${authority}`);
  }
  expect(grants).toBeGreaterThan(50);
  expect(faults.slice(0, 5)).toEqual([]);
});
