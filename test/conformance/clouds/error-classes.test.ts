// The end of every error that the clouds document: whose fault it is shows in whether the next
// channel is asked, and in what happens to the key.
import { afterAll, expect, test } from "bun:test";
import type { LogView } from "../../../src/admin/log/contract.ts";
import { encodeFrame } from "../../../src/core/frames/event-stream.ts";
import { chatBody } from "../../harness/ask.ts";
import { accountFile } from "../../harness/clouds/google-account.ts";
import { eventually, logRow } from "../../harness/books.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import {
  completion,
  delta,
  Vendor,
  type VendorRequest,
  type VendorReply,
} from "../../harness/vendor.ts";

const config = `
sandbox: "off"
unpriced: free
distribution: { failures_to_eject: 1000000, retry_budget_percent: 100 }
`;
const gateway = useStand(() => startGateway({ config, oneProcess: "judgement" }));
const second = new Vendor(({ body }, reply) => {
  if (body["stream"] !== true) return reply.json(completion("From the second."));
  reply.stream();
  reply.event(delta({ content: "From the second." }));
  reply.event(delta({}, "stop"));
  reply.event("[DONE]");
  reply.end();
});
afterAll(() => second[Symbol.dispose]());

type Cloud = "azure" | "bedrock" | "vertex" | "claude on vertex";

/** Ends of an error, in the words of docs/clouds.md. */
type End =
  /** The key rests, the next channel answers. */
  | "rest"
  /** The key is checked behind the request, the next channel answers. */
  | "suspect"
  /** The key is out, the next channel answers. */
  | "disable"
  /** Nothing is held against the key, the next channel answers. */
  | "next channel"
  /** A 400, and nobody else is asked. */
  | "client's fault";

interface Told {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

const channels: Readonly<Record<Cloud, Record<string, unknown>>> = {
  azure: { type: "azure" },
  bedrock: { type: "bedrock", format: "converse" },
  vertex: { type: "vertex" },
  "claude on vertex": { type: "vertex", format: "messages", vendor: { project: "one" } },
};

/** The name of an error in a code, as Azure writes it. */
const azure = (status: number, code: string | null, more: object = {}): Told => ({
  status,
  body: { error: { code, message: "words", ...more } },
});

/** The name of an error in a header, as Amazon writes it. */
const aws = (status: number, exception: string, message = "words"): Told => ({
  status,
  body: { message },
  headers: { "x-amzn-errortype": `${exception}:http://internal.amazon.com/` },
});

const google = (code: number, status: string, reason?: string): Told => ({
  status: code,
  body: {
    error: {
      code,
      message: "words",
      status,
      ...(reason !== undefined && { details: [{ reason }] }),
    },
  },
});

const claude = (status: number, type: string): Told => ({
  status,
  body: { type: "error", error: { type, message: "words" } },
});

const filtered = {
  type: null,
  param: "prompt",
  status: 400,
  innererror: { code: "ResponsibleAIPolicyViolation", content_filter_result: {} },
};

const errors: readonly (readonly [Cloud, Told, End])[] = [
  ["azure", azure(401, "401"), "disable"],
  ["azure", { status: 401, body: { statusCode: 401, message: "Access denied" } }, "disable"],
  ["azure", azure(401, "PermissionDenied"), "disable"],
  ["azure", azure(403, "403"), "suspect"],
  ["azure", azure(403, "AccessDenied"), "suspect"],
  ["azure", azure(404, "DeploymentNotFound"), "next channel"],
  ["azure", azure(404, "404", { message: "Resource not found" }), "next channel"],
  ["azure", azure(400, "OperationNotSupported"), "next channel"],
  ["azure", { ...azure(429, "429"), headers: { "retry-after-ms": "50000" } }, "rest"],
  ["azure", { ...azure(429, "RateLimitReached"), headers: { "retry-after": "50" } }, "rest"],
  ["azure", { ...azure(429, "too_many_requests"), headers: { "retry-after": "50" } }, "rest"],
  ["azure", { ...azure(429, "insufficient_quota"), headers: { "retry-after": "50" } }, "rest"],
  ["azure", azure(500, "InternalServerError"), "next channel"],
  ["azure", azure(503, "503"), "next channel"],
  ["azure", azure(400, "content_filter", filtered), "client's fault"],
  ["azure", azure(400, "BadRequest"), "client's fault"],

  ["bedrock", aws(429, "ThrottlingException"), "rest"],
  ["bedrock", aws(429, "ThrottlingException", "Too many tokens per day, please wait."), "rest"],
  ["bedrock", aws(429, "ModelNotReadyException"), "rest"],
  ["bedrock", aws(400, "ServiceQuotaExceededException"), "rest"],
  ["bedrock", aws(503, "ServiceUnavailableException"), "next channel"],
  ["bedrock", aws(500, "InternalServerException"), "next channel"],
  ["bedrock", aws(408, "ModelTimeoutException"), "next channel"],
  ["bedrock", aws(424, "ModelErrorException"), "next channel"],
  ["bedrock", aws(400, "ValidationException"), "client's fault"],
  [
    "bedrock",
    aws(400, "ValidationException", "The provided model identifier is invalid."),
    "next channel",
  ],
  [
    "bedrock",
    aws(400, "ValidationException", "Invocation of m with on-demand throughput isn't supported."),
    "next channel",
  ],
  [
    "bedrock",
    aws(400, "ValidationException", "This model version has reached the end of its life."),
    "next channel",
  ],
  [
    "bedrock",
    aws(400, "ValidationException", "Input is too long for requested model."),
    "next channel",
  ],
  ["bedrock", aws(404, "ResourceNotFoundException"), "next channel"],
  ["bedrock", aws(403, "AccessDeniedException"), "suspect"],
  ["bedrock", aws(403, "UnrecognizedClientException"), "disable"],
  ["bedrock", aws(403, "InvalidSignatureException"), "disable"],
  ["bedrock", aws(403, "InvalidClientTokenId"), "disable"],
  ["bedrock", aws(403, "SignatureDoesNotMatch"), "disable"],
  ["bedrock", aws(403, "ExpiredTokenException"), "disable"],
  ["bedrock", aws(403, "ExpiredToken"), "disable"],
  ["bedrock", aws(403, "RequestExpired"), "next channel"],
  [
    "bedrock",
    aws(403, "InvalidSignatureException", "Signature expired: 1 is now earlier than 2"),
    "next channel",
  ],

  ["vertex", google(401, "UNAUTHENTICATED"), "disable"],
  ["vertex", google(403, "PERMISSION_DENIED"), "suspect"],
  ["vertex", google(403, "PERMISSION_DENIED", "SERVICE_DISABLED"), "disable"],
  ["vertex", google(403, "PERMISSION_DENIED", "BILLING_DISABLED"), "disable"],
  ["vertex", google(403, "PERMISSION_DENIED", "CONSUMER_INVALID"), "disable"],
  ["vertex", google(404, "NOT_FOUND"), "next channel"],
  ["vertex", google(429, "RESOURCE_EXHAUSTED"), "rest"],
  ["vertex", google(400, "INVALID_ARGUMENT"), "client's fault"],
  ["vertex", google(400, "FAILED_PRECONDITION"), "client's fault"],
  ["vertex", google(499, "CANCELLED"), "next channel"],
  ["vertex", google(500, "INTERNAL"), "next channel"],
  ["vertex", google(503, "UNAVAILABLE"), "next channel"],
  ["vertex", google(504, "DEADLINE_EXCEEDED"), "next channel"],
  ["claude on vertex", claude(400, "invalid_request_error"), "client's fault"],
  ["claude on vertex", claude(404, "not_found_error"), "next channel"],
  ["claude on vertex", claude(429, "rate_limit_error"), "rest"],
  ["claude on vertex", claude(529, "overloaded_error"), "next channel"],
  ["claude on vertex", google(401, "UNAUTHENTICATED"), "disable"],
  ["claude on vertex", { status: 429, body: [google(429, "RESOURCE_EXHAUSTED").body] }, "rest"],
];

let count = 0;

interface KeyShown {
  status: string;
  rests_until: number | null;
}

/** Its calls that are checks, which a good key passes. */
const isCheck = ({ path }: VendorRequest) =>
  /models(?:\?|$)|foundation-models|inference-profiles|countTokens|count-tokens/.test(path);
const good = { data: [], modelSummaries: [], totalTokens: 1, input_tokens: 1 };

/** A channel of the cloud that answers with the error, before one that answers. */
async function asked(
  cloud: Cloud,
  tell: (reply: VendorReply) => void,
  { end, stream = false, fields = {} }: { end: End; stream?: boolean; fields?: object },
) {
  const model = `classes-${++count}`;
  const { promise: checked, resolve: check } = Promise.withResolvers<void>();
  using first = new Vendor((request, reply) => {
    if (!isCheck(request)) return tell(reply);
    check();
    if (end === "disable") tell(reply);
    else reply.json(good);
  });
  const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", {
    name: `first ${count}`,
    base_url: first.url,
    key: `cloud-key-${count}`,
    models: [model],
    priority: 5,
    allow_private: true,
    ...channels[cloud],
    ...fields,
  });
  const other = second.channel({ name: `second ${count}`, models: [model] });
  await gateway.control("POST", "/api/channel", other);
  const before = second.requests.length;
  const reply = await gateway.post("/v1/chat/completions", chatBody(model, { stream }));
  await reply.text();
  const key = async () => {
    const { keys } = await gateway.control<{ keys: [KeyShown] }>("GET", `/api/channel/${id}`);
    return keys[0];
  };
  if (end === "disable") {
    await eventually("a key that is out", async () =>
      (await key()).status === "disabled" ? true : undefined,
    );
  }
  if (end === "suspect") await checked;
  const shown = await key();
  const { request_id: request } = await logRow(gateway, reply);
  const log = await gateway.control<{ items: LogView[] }>("GET", `/api/log/${request}`);
  // A rest that its vendor gives no time to lasts two seconds, which a busy machine may take.
  const hasRest = shown.rests_until !== null || log.items[0]?.tries?.[0]?.blame === "load";
  return { status: reply.status, seconds: second.requests.length - before, key: shown, hasRest };
}

test.each(errors)("of %s, %o ends as: %s", async (cloud, { status, body, headers }, end) => {
  const ended = await asked(cloud, (reply) => reply.json(body, status, headers), { end });
  const isNext = end !== "client's fault";
  expect([ended.status, ended.seconds]).toEqual(isNext ? [200, 1] : [400, 0]);
  expect(ended.key.status).toBe(end === "disable" ? "disabled" : "enabled");
  if (end !== "disable") expect(ended.hasRest).toBe(end === "rest");
});

test.each([
  ["throttlingException", "rest"],
  ["serviceUnavailableException", "next channel"],
  ["internalServerException", "next channel"],
  ["modelTimeoutException", "next channel"],
  ["modelStreamErrorException", "next channel"],
  ["validationException", "client's fault"],
] as const)("of a stream of bedrock that is a 200, %s ends as: %s", async (name, end) => {
  const payload = new TextEncoder().encode('{"message":"words"}');
  const frame = encodeFrame({ ":message-type": "exception", ":exception-type": name }, payload);
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/vnd.amazon.eventstream\r\ncontent-length: ${frame.length}\r\n\r\n`;
  const tell = (reply: VendorReply) => {
    reply.raw(head);
    reply.raw(frame);
  };
  const ended = await asked("bedrock", tell, { end, stream: true });
  const isNext = end !== "client's fault";
  expect([ended.status, ended.seconds]).toEqual(isNext ? [200, 1] : [400, 0]);
  expect(ended.key.status).toBe("enabled");
  expect(ended.hasRest).toBe(end === "rest");
});

const counted = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const stopped = (stopReason: string) => ({
  output: { message: { role: "assistant", content: [{ text: "I cannot say." }] } },
  stopReason,
  usage: counted,
});
const filteredChoice = {
  index: 0,
  message: { role: "assistant", content: "" },
  finish_reason: "content_filter",
  content_filter_results: { violence: { filtered: true, severity: "high" } },
};
const blocked = { promptFeedback: { blockReason: "SAFETY" } };

test.each([
  ["azure", { ...completion(""), choices: [filteredChoice] }],
  ["bedrock", stopped("guardrail_intervened")],
  ["bedrock", stopped("content_filtered")],
  ["vertex", { ...blocked, usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 } }],
] as const)("of %s, a filter that says so with a 200 is the answer: %o", async (cloud, body) => {
  const ended = await asked(cloud, (reply) => reply.json(body), { end: "client's fault" });
  expect([ended.status, ended.seconds]).toEqual([200, 0]);
  expect([ended.key.status, ended.hasRest]).toEqual(["enabled", false]);
});

/** The key of each cloud that is exchanged, at an authority of its own. */
const exchanged: Readonly<Record<"azure" | "bedrock" | "vertex", (at: string) => object>> = {
  azure: (at) => ({
    key: JSON.stringify({ tenant_id: "t", client_id: "c", client_secret: "s" }),
    vendor: { authority: at },
  }),
  bedrock: (at) => ({
    key: "AKIA1:secret-of-the-pair",
    vendor: { region: "us-east-1", role_arn: "arn:aws:iam::1:role/r", authority: at },
  }),
  vertex: (at) => ({ key: accountFile("", { token_uri: `${at}/token` }) }),
};

const oauth = (status: number, error: string): Told => ({ status, body: { error } });
const sts = (status: number, Code: string): Told => ({ status, body: { Error: { Code } } });

test.each([
  ["azure", oauth(401, "invalid_client"), "disable"],
  ["azure", oauth(400, "invalid_grant"), "disable"],
  ["azure", oauth(400, "unauthorized_client"), "disable"],
  ["azure", oauth(400, "invalid_scope"), "next channel"],
  ["azure", oauth(429, "temporarily_unavailable"), "rest"],
  ["azure", oauth(503, "temporarily_unavailable"), "rest"],
  ["azure", oauth(500, "server_error"), "next channel"],
  ["vertex", oauth(400, "invalid_grant"), "disable"],
  ["vertex", oauth(401, "invalid_client"), "disable"],
  ["vertex", oauth(500, "internal_failure"), "next channel"],
  ["bedrock", sts(403, "AccessDenied"), "disable"],
  ["bedrock", sts(403, "ExpiredToken"), "disable"],
  ["bedrock", sts(403, "InvalidClientTokenId"), "disable"],
  ["bedrock", sts(403, "SignatureDoesNotMatch"), "disable"],
  ["bedrock", sts(400, "Throttling"), "rest"],
  ["bedrock", sts(400, "ValidationError"), "next channel"],
] as const)("of the exchange for %s, %o ends as: %s", async (cloud, told, end) => {
  const { status, body } = told;
  using authority = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json(body, { status }),
  });
  const fields = exchanged[cloud](`http://127.0.0.1:${authority.port}`);
  const unasked = (reply: VendorReply) => reply.json({}, 500);
  const ended = await asked(cloud, unasked, { end, fields });
  expect([ended.status, ended.seconds]).toEqual([200, 1]);
  expect(ended.key.status).toBe(end === "disable" ? "disabled" : "enabled");
  if (end !== "disable") expect(ended.hasRest).toBe(end === "rest");
});

test.each([
  [1, 200, "enabled"],
  [2, 500, "disabled"],
] as const)(
  "of bedrock, credentials of a role that are refused %i times end with %i, the key %s",
  async (times, status, end) => {
    let exchanges = 0;
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    const message = { role: "assistant", content: [{ text: "From the first." }] };
    const give = () => new Response(credentialsOf(`ASIA${++exchanges}`));
    using authority = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: give });
    using vendor = new Vendor(({ headers }, reply) => {
      const [, number = ""] = /Credential=ASIA(\d+)\//.exec(headers["authorization"] ?? "") ?? [];
      if (Number(number) > times) {
        return reply.json({ output: { message }, stopReason: "end_turn", usage });
      }
      const { body, headers: named } = aws(403, "ExpiredTokenException");
      reply.json(body, 403, named);
    });
    const model = `classes-${++count}`;
    const { id } = await gateway.control<{ id: string }>("POST", "/api/channel", {
      name: model,
      base_url: vendor.url,
      key: "AKIA1:secret-of-the-pair",
      models: [model],
      allow_private: true,
      ...channels.bedrock,
      vendor: {
        region: "us-east-1",
        role_arn: "arn:aws:iam::1:role/r",
        authority: `http://127.0.0.1:${authority.port}/`,
      },
    });
    expect((await gateway.post("/v1/chat/completions", chatBody(model))).status).toBe(status);
    expect(exchanges).toBe(2);
    await eventually(`a key that is ${end}`, async () => {
      const { keys } = await gateway.control<{ keys: [KeyShown] }>("GET", `/api/channel/${id}`);
      return keys[0].status === end ? true : undefined;
    });
  },
);

function credentialsOf(access: string): string {
  const end = new Date(Date.now() + 3_600_000).toISOString();
  return `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>${access}</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken><Expiration>${end}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;
}
