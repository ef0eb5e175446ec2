// An operator who may add channels, and no more: no credential of the machine, of the data folder
// or of another channel reaches a host of theirs.
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { accountFile } from "../harness/clouds/google-account.ts";
import { Folder } from "../harness/folder.ts";
import { startGateway, type Envelope } from "../harness/gateway.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";
import { Vendor } from "../harness/vendor.ts";

const files = kept(new Folder());
const secret = "secret-of-the-machine-0123456789";
const secretFile = join(files.path, "secret");
await Bun.write(secretFile, secret);

/** Grants whatever it is asked for, and remembers what it was sent. */
const stranger = kept(
  new Vendor((request, reply) => {
    if (request.path.includes("api/token")) return reply.raw(tokenText(secret));
    if (request.path.endsWith("/security-credentials/")) return reply.raw(tokenText("role"));
    reply.json(granted);
  }),
);
const machine = kept(new Vendor(stranger.script));
const granted = {
  access_token: secret,
  expires_in: 3600,
  AccessKeyId: "ASIA1",
  SecretAccessKey: secret,
  Token: secret,
  Expiration: "2099-01-01T00:00:00Z",
};

function tokenText(text: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
}

const environment = {
  AZURE_TENANT_ID: "tenant",
  AZURE_CLIENT_ID: "pod",
  AZURE_FEDERATED_TOKEN_FILE: secretFile,
  IDENTITY_ENDPOINT: `${machine.url}/token`,
  AWS_EC2_METADATA_SERVICE_ENDPOINT: machine.url,
  AWS_CONTAINER_CREDENTIALS_FULL_URI: `${machine.url}/container`,
  AWS_WEB_IDENTITY_TOKEN_FILE: secretFile,
  AWS_ROLE_ARN: "arn:aws:iam::1:role/cluster",
  GCE_METADATA_HOST: new URL(machine.url).host,
};
const config = JSON.stringify({ sandbox: "off", unpriced: "free" });
const gateway = useStand(() => startGateway({ config, environment, oneProcess: "judgement" }));

let admin = "";
beforeAll(async () => {
  const body = { username: "adder", password: "long enough password", role: "admin" };
  const { id } = await gateway.control<{ id: string }>("POST", "/api/user", body);
  const made = await gateway.control<{ token: string }>("POST", `/api/user/${id}/token`, {});
  admin = made.token;
});
beforeEach(() => {
  stranger.requests.length = 0;
  machine.requests.length = 0;
});

let count = 0;

function channelOf(fields: Record<string, unknown>): Record<string, unknown> {
  const vendor = fields["type"] === "vertex" ? { vendor: { project: "p" } } : {};
  const place = { base_url: stranger.url, allow_private: true, models: ["m"] };
  return { name: `reach ${++count}`, ...place, ...vendor, ...fields };
}

function codeOf({ success, code }: Envelope & { code?: string }): string {
  return success ? "done" : String(code);
}

/** Outcomes of every call that sends something to a channel: made, as a draft, and discovered. */
async function tryAll(fields: Record<string, unknown>): Promise<string[]> {
  const codes: string[] = [];
  const channel = channelOf(fields);
  const made = await gateway.controlEnvelope("POST", "/api/channel", channel, admin);
  codes.push(codeOf(made));
  if (made.success) {
    const { id } = made.data as { id: string };
    await gateway.controlEnvelope("POST", `/api/channel/${id}/test`, { model: "m" }, admin);
  }
  for (const path of ["/api/channel/test", "/api/channel/discover"]) {
    const draft = await gateway.controlEnvelope("POST", path, channel, admin);
    codes.push(codeOf(draft));
  }
  return codes;
}

const federated = (source: object) => ({
  type: "external_account",
  audience: "a",
  subject_token_type: "t",
  token_url: `${stranger.url}/token`,
  credential_source: source,
});
const publicUrl = "https://example.com/x";
const sources: [string, object][] = [
  ["beside an address", { url: publicUrl, file: secretFile }],
  ["beside an empty address", { url: "", file: secretFile }],
  ["alone", { file: secretFile }],
  ["beside a program", { url: publicUrl, executable: { command: "/bin/id" }, file: secretFile }],
];

describe("a file of the machine that a pasted key names", () => {
  test.each(sources)("is not read %s", async (_how, source) => {
    const key = JSON.stringify(federated(source));
    for (const text of [key, Buffer.from(key).toString("base64")]) {
      for (const change of [{}, { allow_private: false, base_url: "https://example.com" }]) {
        const codes = await tryAll({ type: "vertex", key: text, ...change });
        expect(new Set(codes)).toEqual(new Set(["invalid_request"]));
      }
    }
    expect(stranger.requests).toEqual([]);
  });

  test("is not read for root either", async () => {
    const key = JSON.stringify(federated({ url: publicUrl, file: secretFile }));
    const made = await gateway.controlEnvelope(
      "POST",
      "/api/channel",
      channelOf({ type: "vertex", key }),
    );
    expect(made).toMatchObject({ success: false, code: "invalid_request" });
  });
});

const identities: [string, string, Record<string, unknown>][] = [
  ["azure", "identity", { vendor: { scope: "https://management.azure.com/.default" } }],
  ["azure", '{"identity_client_id":"c"}', {}],
  ["azure", "workload", { vendor: { authority: stranger.url } }],
  ["bedrock", "instance", { vendor: { region: "us-east-1" } }],
  ["bedrock", "container", { vendor: { region: "us-east-1" } }],
  ["bedrock", "web_identity", { vendor: { region: "us-east-1", authority: stranger.url } }],
  ["vertex", "instance", {}],
  ["vertex", "workload", {}],
];

describe("the machine's own identity", () => {
  test.each(identities)("of %s, by the key %s, goes to no stranger", async (type, key, fields) => {
    const codes = await tryAll({ type, key, ...fields });
    expect(new Set(codes)).toEqual(new Set(["permission_denied"]));
    expect([stranger.requests, machine.requests]).toEqual([[], []]);
  });

  test("goes where root sends it, with an entry that names the host", async () => {
    const channel = channelOf({ type: "vertex", key: "instance" });
    const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", channel);
    await gateway.control("POST", `/api/channel/${id}/test`, { model: "m" });
    expect(stranger.requests.some(({ text }) => text.length > 0)).toBe(true);
    const path = `/api/audit?target_id=${id}`;
    const { items } = await gateway.control<{ items: { changes: object }[] }>("GET", path);
    const host = new URL(stranger.url).host;
    expect(items[0]?.changes).toMatchObject({ machine_identity_to: host });
    const moved = { key: "instance", base_url: `${stranger.url}/elsewhere` };
    const change = await gateway.controlEnvelope("PATCH", `/api/channel/${id}`, moved, admin);
    expect(change).toMatchObject({ success: false, code: "permission_denied" });
    const weight = await gateway.controlEnvelope(
      "PATCH",
      `/api/channel/${id}`,
      { weight: 2 },
      admin,
    );
    expect(weight.success).toBe(true);
  });
});

describe("a field of a cloud that becomes a part of a host", () => {
  const host = new URL(stranger.url).host;
  test.each(["attacker.example/x?", `${host}/x?`, "a@b", "x#", "x\\", "[::1]", "x%2f", "a。b"])(
    "takes no %s, and a stored key goes nowhere by it",
    async (text) => {
      const channel = channelOf({
        type: "vertex",
        key: accountFile(machine.url),
        base_url: "https://aiplatform.googleapis.com",
      });
      const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", channel);
      const change = { vendor: { project: "p", location: text } };
      const told = await gateway.controlEnvelope("PATCH", `/api/channel/${id}`, change, admin);
      expect(told).toMatchObject({ success: false, code: "invalid_request" });
      const region = { type: "bedrock", key: "web_identity", vendor: { region: text } };
      const place = { base_url: "https://bedrock-runtime.us-east-1.amazonaws.com" };
      const codes = await tryAll({ ...region, ...place, allow_private: false });
      expect(new Set(codes)).toEqual(new Set(["invalid_request"]));
      expect(stranger.requests).toEqual([]);
    },
  );

  test("asks for the key again where the host becomes another", async () => {
    const channel = channelOf({
      type: "vertex",
      key: "express-key-0001",
      base_url: "https://aiplatform.googleapis.com",
      vendor: { project: "p", location: "global" },
    });
    const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", channel);
    const path = `/api/channel/${id}`;
    const change = { vendor: { project: "p", location: "europe-west1" } };
    const told = await gateway.controlEnvelope("PATCH", path, change, admin);
    expect(told.message).toContain("key is required again");
    const whole = { ...change, key: "express-key-0001" };
    expect((await gateway.controlEnvelope("PATCH", path, whole, admin)).success).toBe(true);
  });
});

describe("a proxy", () => {
  test.each([
    "http://169.254.169.254:80",
    "http://metadata.google.internal",
    "http://[fd00:ec2::254]",
  ])("is never %s", async (proxy) => {
    const fields = { type: "openai", key: "k", base_url: "https://example.com", proxy };
    const made = await gateway.controlEnvelope("POST", "/api/channel", channelOf(fields));
    expect(made).toMatchObject({ success: false, code: "invalid_request" });
  });

  test("on a private address is root's to set, or said to be meant", async () => {
    const place = { base_url: "https://example.com", proxy: "http://10.0.0.7:3128" };
    const fields = { type: "openai", key: "k", ...place, allow_private: false };
    const make = (change: object, token?: string) =>
      gateway.controlEnvelope("POST", "/api/channel", { ...channelOf(fields), ...change }, token);
    expect(await make({}, admin)).toMatchObject({ success: false, code: "invalid_request" });
    expect((await make({ allow_private: true }, admin)).success).toBe(true);
    expect((await make({})).success).toBe(true);
  });
});
