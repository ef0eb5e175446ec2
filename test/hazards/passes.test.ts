// Every kind of credential of a cloud, with what is granted for it, against a vendor and a machine
// that say everything back that they were sent: none of it may stand anywhere else.
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { chatBody } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import { Echo } from "../harness/clouds/echo.ts";
import { accountFile, privateKey } from "../harness/clouds/google-account.ts";
import { Collector } from "../harness/collector.ts";
import { runCommand } from "../harness/command.ts";
import { Folder } from "../harness/folder.ts";
import { rootToken, startGateway } from "../harness/gateway.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";
import { Vendor } from "../harness/vendor.ts";

/** Without any of the shapes by which keys are recognised. */
const canary = (): string => randomBytes(12).toString("hex");

const files = kept(new Folder());
const fileOf = async (name: string, text: string) => {
  const path = join(files.path, name);
  await Bun.write(path, text);
  return path;
};

const echo = kept(new Echo(canary));
const collector = kept(new Collector());
const hooks = kept(new Vendor((_request, reply) => reply.json({})));
const machine = { identity: canary(), entra: canary(), container: canary(), web: canary() };
const federated = (source: object) =>
  JSON.stringify({
    type: "external_account",
    audience: "//iam.googleapis.com/projects/1/providers/q",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: `${echo.machine}/token`,
    credential_source: source,
    service_account_impersonation_url: `${echo.machine}/iam`,
  });
const workload = canary();
const environment = {
  IDENTITY_ENDPOINT: `${echo.machine}/token`,
  IDENTITY_HEADER: machine.identity,
  AZURE_TENANT_ID: "tenant",
  AZURE_CLIENT_ID: "pod",
  AZURE_FEDERATED_TOKEN_FILE: await fileOf("entra", machine.entra),
  AWS_EC2_METADATA_SERVICE_ENDPOINT: echo.machine,
  AWS_CONTAINER_CREDENTIALS_FULL_URI: `${echo.machine}/container`,
  AWS_CONTAINER_AUTHORIZATION_TOKEN: machine.container,
  AWS_WEB_IDENTITY_TOKEN_FILE: await fileOf("web", machine.web),
  AWS_ROLE_ARN: "arn:aws:iam::1:role/cluster",
  GCE_METADATA_HOST: new URL(echo.machine).host,
  GOOGLE_APPLICATION_CREDENTIALS: await fileOf(
    "adc",
    federated({ file: await fileOf("subject", workload) }),
  ),
};
const config = JSON.stringify({
  sandbox: "off",
  unpriced: "free",
  log: { requests: true, level: "debug" },
  distribution: { failures_to_eject: 1_000_000, retry_budget_percent: 100 },
  tracing: { endpoint: collector.url, interval_ms: 100 },
  media: { private_hosts: [new URL(hooks.url).host] },
  notices: {
    check_seconds: 1,
    channel_out_minutes: 0,
    disk_free_percent: 0,
    destinations: [{ name: "hook", type: "webhook", hook_url: `${hooks.url}/hook` }],
  },
});
const gateway = useStand(() =>
  startGateway({ config, environment, isOnFiles: true, oneProcess: "judgement" }),
);

interface Kind {
  type: "azure" | "bedrock" | "vertex";
  key: string;
  vendor?: Record<string, string>;
  /** Secrets of the credential itself. */
  secrets: readonly string[];
  /** Others are sent as they are. */
  isExchanged: boolean;
}

const authority = `${echo.machine}/token`;
const sts = `${echo.machine}/sts`;
const role = { region: "us-east-1", role_arn: "arn:aws:iam::1:role/r", authority: sts };

function sent(type: Kind["type"], vendor: Record<string, string> = {}): Kind {
  const key = canary();
  return { type, key, vendor, secrets: [key], isExchanged: false };
}

function entra(): Kind {
  const secret = canary();
  const key = JSON.stringify({ tenant_id: "t", client_id: "app", client_secret: secret });
  return { type: "azure", key, vendor: { authority }, secrets: [secret], isExchanged: true };
}

/** A pair, with a session of its own or with a role that it assumes. */
function pair(vendor: Record<string, string>, session?: string): Kind {
  const secret = canary();
  const own = session === undefined ? [secret] : [secret, session];
  const isExchanged = "role_arn" in vendor;
  return { type: "bedrock", key: ["AKIA1", ...own].join(":"), vendor, secrets: own, isExchanged };
}

function pasted(): Kind {
  const [secret, session] = [canary(), canary()];
  const parts = { access_key_id: "AKIA1", secret_access_key: secret, session_token: session };
  const vendor = { region: "us-east-1" };
  const secrets = [secret, session];
  return { type: "bedrock", key: JSON.stringify(parts), vendor, secrets, isExchanged: false };
}

const of = (type: Kind["type"], key: string, vendor: Record<string, string>, secret?: string) => ({
  type,
  key,
  vendor,
  secrets: secret === undefined ? [] : [secret],
  isExchanged: true,
});

const [line = ""] = privateKey.split("\n").slice(1);
const project = { project: "one" };
const kinds: readonly (readonly [string, Kind])[] = [
  ["a key of Azure", sent("azure")],
  ["a client's secret of Entra", entra()],
  ["the identity of a machine at Azure", of("azure", "identity", {}, machine.identity)],
  ["the workload of a cluster at Azure", of("azure", "workload", { authority }, machine.entra)],
  ["an API key of Bedrock", sent("bedrock", { region: "us-east-1" })],
  ["a pair of AWS", pair({ region: "us-east-1" })],
  ["a pair of AWS with a session", pair({ region: "us-east-1" }, canary())],
  ["a pair of AWS that is pasted as an object", pasted()],
  ["a pair of AWS that assumes a role", pair(role)],
  ["the instance of AWS", of("bedrock", "instance", { region: "us-east-1" })],
  ["the instance of AWS that assumes a role", of("bedrock", "instance", role)],
  ["the container of AWS", of("bedrock", "container", { region: "us-east-1" }, machine.container)],
  [
    "the cluster of AWS",
    of("bedrock", "web_identity", { region: "us-east-1", authority: sts }, machine.web),
  ],
  [
    "a service account of Google",
    of("vertex", accountFile("", { token_uri: authority }), project, line),
  ],
  [
    "a federated identity of Google",
    of("vertex", federated({ url: `${echo.machine}/subject` }), project),
  ],
  ["the workload of a cluster at Google", of("vertex", "workload", project, workload)],
  ["the instance of Google", of("vertex", "instance", project)],
  ["an express key of Google", sent("vertex", project)],
];

let count = 0;

/** Ids of the requests of the test that runs. */
const ids: string[] = [];

/** The answer of a request, and its place in the log. */
async function told(model: string, fields: object = {}): Promise<string> {
  const response = await gateway.post("/v1/chat/completions", chatBody(model, { ...fields }));
  const id = response.headers.get("x-request-id") ?? "";
  const seen = [[...response.headers].join(), await response.text()];
  const row = await eventually(`the record of ${id}`, async () => {
    const answer = await gateway.controlEnvelope("GET", `/api/log/${id}`);
    return answer.success ? answer : undefined;
  });
  ids.push(id);
  return JSON.stringify([seen, row]);
}

async function shown(method: string, path: string, body?: object): Promise<string> {
  return JSON.stringify(await gateway.controlEnvelope(method, path, body));
}

/** A test's steps, as the console shows them. */
async function tested(path: string, body: object): Promise<string> {
  const response = await fetch(`${gateway.url}${path}?stream=1`, {
    method: "POST",
    headers: { authorization: `Bearer ${rootToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return await response.text();
}

/** The words of every place that tells of a channel whose vendor answers so. */
async function words(fields: Record<string, unknown>, id: string, model: string) {
  const messages = [{ role: "user", content: "hi" }];
  return [
    await told(model),
    await told(model, { stream: true }),
    await tested(`/api/channel/${id}/test`, { model }),
    await tested("/api/channel/test", { ...fields, name: `draft ${model}` }),
    await shown("POST", "/api/channel/discover", { id }),
    await shown("POST", "/api/route", { model }),
    await shown("POST", "/api/convert", { format: "chat", body: { model, messages }, channel: id }),
  ];
}

async function isOut(id: string): Promise<void> {
  await eventually("a key that is out", async () => {
    const { keys } = await gateway.control<{ keys: { status: string }[] }>(
      "GET",
      `/api/channel/${id}`,
    );
    return keys[0]?.status === "disabled" ? true : undefined;
  });
}

const pages = ["/api/channel", "/api/channel/yaml", "/api/audit?page_size=100", "/api/notice"];
/** All that was ever secret here, for the places that are looked at once. */
const everything: string[] = [];

test.each(kinds)("hazard H3 %s is in nobody's words", async (_name, kind) => {
  const { type, key, vendor = {}, secrets, isExchanged } = kind;
  const model = `passed-${++count}`;
  ids.length = 0;
  const before = echo.secrets.length;
  const fields = {
    name: `channel ${model}`,
    type,
    format: "chat",
    base_url: echo.vendor,
    key,
    vendor,
    models: [model],
    allow_private: true,
  };
  echo.mode = "good";
  const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", fields);
  const order = { channel: id, requests: 20 };
  const capture = await gateway.control<{ id: string }>("POST", "/api/capture", order);
  const said: string[] = [];
  for (const mode of ["good", "refused", "broken", "midst", "rights"] as const) {
    echo.mode = mode;
    said.push(...(await words(fields, id, model)));
  }
  const [first = "", ...others] = ids.splice(0);
  const captured = await eventually("what was captured", async () => {
    const text = await shown("GET", `/api/log/${first}/content`);
    return text.includes('"upstream"') ? text : undefined;
  });
  said.push(captured);
  for (const one of others) said.push(await shown("GET", `/api/log/${one}/content`));
  await gateway.control("DELETE", `/api/capture/${capture.id}`);
  echo.mode = "unproven";
  said.push(await told(model), await told(model));
  await isOut(id);
  said.push(await shown("GET", `/api/channel/${id}`));
  // Saved anew, so that it is exchanged anew: which fails, with all that was sent said back.
  const again = { ...fields, name: `again ${model}`, models: [`again-${model}`] };
  const { id: other } = await gateway.control<{ id: string }>("POST", "/api/channel", again);
  echo.mode = isExchanged ? "ungranted" : "unproven";
  said.push(await told(`again-${model}`), await told(`again-${model}`));
  said.push(await tested(`/api/channel/${other}/test`, { model: `again-${model}` }));
  said.push(await tested("/api/channel/test", { ...again, name: `draft again ${model}` }));
  said.push(await shown("GET", `/api/channel/${other}`));
  for (const page of pages) said.push(await shown("GET", page));
  const hidden = [...secrets, ...echo.secrets.slice(before)];
  everything.push(...hidden);
  expect(hidden.length).toBeGreaterThan(0);
  for (const secret of hidden) {
    expect(said.filter((text) => text.includes(secret))).toEqual([]);
    expect(gateway.output).not.toContain(secret);
  }
  // A pair is not sent itself, so that nobody can say it back.
  if (!/^AKIA1:[^:]+$/.test(key)) expect(said.join()).toContain("[secret]");
});

test("hazard H3 none of them is in a file, a backup, an export, a span, a metric or a notice", async () => {
  expect(everything.length).toBeGreaterThan(kinds.length);
  const backup = join(gateway.folder, "backup");
  expect(await runCommand({ folder: gateway.folder }, "backup", backup)).toMatchObject({ code: 0 });
  const exported = await runCommand({ folder: gateway.folder }, "export");
  expect(exported.code).toBe(0);
  const listed = await runCommand({ folder: gateway.folder }, "channel", "list", "--json");
  expect(listed.code).toBe(0);
  await eventually("a notice", async () => (hooks.requests.length > 0 ? true : undefined));
  const texts = {
    exported: exported.out,
    listed: listed.out,
    output: gateway.output,
    metrics: await gateway.metrics(),
    spans: JSON.stringify(collector.calls.map(({ text }) => text)),
    notices: JSON.stringify(hooks.requests),
  };
  expect(collector.spans.length).toBeGreaterThan(0);
  const names = readdirSync(gateway.folder, { recursive: true, encoding: "utf8" });
  const stored = names
    .map((name) => [name, join(gateway.folder, name)] as const)
    .filter(([, path]) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)
    .map(([name, path]) => [name, readFileSync(path)] as const);
  expect(stored.some(([, bytes]) => bytes.includes("again-passed-1"))).toBe(true);
  for (const secret of everything) {
    const places = [...Object.entries(texts), ...stored].filter(([, text]) =>
      text.includes(secret),
    );
    expect(places.map(([name]) => name)).toEqual([]);
  }
});
