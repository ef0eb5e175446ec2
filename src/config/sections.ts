// The sections of the configuration file, each setting stated once: its key, its schema with
// description and default, the variable that wins over it, and how it is read.
import { Type } from "../core/schema.ts";
import { baseUrl, languageSchema, withoutSlashes } from "./fields.ts";
import {
  convertedSection,
  each,
  live,
  mebibyte,
  milliseconds,
  nextStart,
  orVariable,
  section,
  wholeSetting,
} from "./setting.ts";

export const serverSection = convertedSection(
  "Where and how the gateway listens.",
  {
    host: orVariable(
      "HOST",
      Type.String({
        minLength: 1,
        default: "127.0.0.1",
        description: "Address to listen on; 0.0.0.0 for every network.",
      }),
    ),
    port: orVariable(
      "PORT",
      wholeSetting("Port to listen on; 0 takes a free one.", {
        default: 3000,
        minimum: 0,
        maximum: 65_535,
      }),
    ),
    public_url: orVariable(
      "SLUICE_PUBLIC_URL",
      Type.Optional(baseUrl("The address clients reach the gateway under, for links it makes.")),
    ),
    node_name: orVariable(
      "SLUICE_NODE_NAME",
      Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: "What this node is called among others. Default: the machine's name.",
        }),
      ),
    ),
    allowed_hosts: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
      uniqueItems: true,
      default: [],
      description: "Host names that requests may be addressed to; none listed allows any.",
    }),
    trust_proxy: Type.Boolean({
      default: false,
      description: "Take the client's address from the X-Forwarded-For of a proxy in front.",
    }),
    body_bytes_max: wholeSetting("Largest request body.", { default: 64 * mebibyte }),
    text_body_bytes_max: wholeSetting("Largest body of a text request; body_bytes_max bounds it.", {
      default: 32 * mebibyte,
    }),
    body_ms: milliseconds("Longest wait for the body of a request.", 300_000),
    leave_seconds: wholeSetting(
      "How long requests are still taken at a stop while /readyz says 503 already.",
      { default: 0, minimum: 0, maximum: 3600 },
    ),
    drain_seconds: wholeSetting("How long running requests may take to end at a stop.", {
      default: 60,
      minimum: 0,
      maximum: 86_400,
    }),
  },
  ({ drainSeconds, leaveSeconds, ...server }) => ({
    ...server,
    publicUrl: withoutSlashes(server.publicUrl),
    nodeName: server.nodeName ?? null,
    leaveMs: leaveSeconds * 1000,
    textBodyBytesMax: Math.min(server.textBodyBytesMax, server.bodyBytesMax),
    drainMs: drainSeconds * 1000,
  }),
);

export const consoleSection = section("The pages in a browser.", {
  enabled: Type.Boolean({ default: true, description: "Serve the console at / and /console." }),
});

export const logSection = section("What is written to the log.", {
  level: orVariable(
    "SLUICE_LOG_LEVEL",
    Type.Enum(["debug", "info", "warn", "error"], {
      default: "info",
      description: "The least level that is written.",
    }),
  ),
  requests: Type.Boolean({
    default: false,
    description: "One line for each request, not only for those that failed.",
  }),
});

export const timeoutsSection = section(
  "How long one request may wait.",
  each(nextStart, {
    first_byte_ms: milliseconds("Wait for an upstream's whole answer.", 300_000),
    stream_first_byte_ms: milliseconds(
      "Wait for the first content of an upstream's stream; never longer than first_byte_ms.",
      60_000,
    ),
    stall_ms: milliseconds("Longest silence inside an upstream's answer.", 120_000),
    total_ms: milliseconds("Longest whole request.", 1_800_000),
    write_stall_ms: milliseconds("Longest wait for a client that does not read.", 60_000),
    keep_alive_ms: milliseconds("Pause after which a silent stream gets a comment line.", 12_000),
  }),
);

export const textSection = section("What a text request may cost, and how its usage is learned.", {
  ...each(live, {
    output_tokens_max_default: wholeSetting(
      "Output tokens when neither request nor catalogue says.",
      {
        default: 64_000,
      },
    ),
    image_tokens_max: wholeSetting("Tokens of one image.", { default: 4096 }),
    second_look: Type.Enum(["on", "off"], {
      default: "on",
      description: "Count a prompt before it is refused for what its bytes could cost.",
    }),
    read_on_ms: wholeSetting(
      "How long an upstream is read on for its usage after the client has left; 0: not at all.",
      { default: 10_000, minimum: 0, maximum: 3_600_000 },
    ),
    read_on_bytes_max: wholeSetting("How much of one upstream is read on.", {
      default: 8 * mebibyte,
    }),
    read_on_max: wholeSetting("How many upstreams are read on at once.", {
      default: 256,
      maximum: 1_000_000,
    }),
    reply_model: Type.Enum(["served", "asked"], {
      default: "served",
      description: "The `model` in replies: as the upstream says, or as the client asked.",
    }),
  }),
  ...each(nextStart, {
    repeat_ms: wholeSetting(
      "How long an answer is kept for who sends its `Idempotency-Key` again; 0: not at all.",
      { default: 86_400_000, minimum: 0, maximum: 30 * 86_400_000 },
    ),
    repeat_bytes_max: wholeSetting("The largest answer that is kept so.", {
      default: 2 * mebibyte,
      maximum: 64 * mebibyte,
    }),
    repeat_account_bytes_max: wholeSetting(
      "How much of them one account may have, as they are stored; the oldest go.",
      { default: 64 * mebibyte },
    ),
    repeat_read_on_ms: wholeSetting(
      "How long such an answer is made on when all its clients have left.",
      { default: 600_000, minimum: 0, maximum: 3_600_000 },
    ),
    response_sockets: Type.Boolean({
      default: true,
      description: "Take responses over WebSocket; where off, agents are told to send a POST.",
    }),
  }),
});

export const distributionSection = section("How a channel is chosen and left.", {
  ...each(live, {
    attempts_max: wholeSetting("Channels tried for one request.", { default: 4, maximum: 100 }),
    failures_to_eject: wholeSetting("Failures in a row that put a channel aside.", { default: 5 }),
    ejection_ms: milliseconds("How long a channel is put aside the first time.", 5000),
    ejection_ms_max: milliseconds("How long at most, after repeated failures.", 300_000),
    wait_ms: wholeSetting(
      "How long a request waits where every channel is back within that time; 0 for not at all.",
      { default: 2000, minimum: 0, maximum: 60_000 },
    ),
    unknown_model_status: Type.Enum([503, 404], {
      default: 503,
      description: "Status of a model that no channel serves: 503, or 404 as vendors have it.",
    }),
  }),
  ...each(nextStart, {
    retry_budget_percent: wholeSetting("Retries allowed, in percent of requests.", {
      default: 20,
      minimum: 0,
      maximum: 100,
    }),
    affinity: Type.Boolean({
      default: true,
      description: "Keep each conversation on one channel and key, where its prompt cache is.",
    }),
  }),
});

export const limitsSection = section("What the process may take on.", {
  memory_bytes_max: nextStart(
    Type.Optional(
      Type.Integer({
        minimum: 64 * mebibyte,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          "Memory past which new work is refused. Default: 80 % of the machine's or container's.",
      }),
    ),
  ),
  streams_max: live(
    wholeSetting("Answers in flight at once.", { default: 20_000, maximum: 1_000_000 }),
  ),
  budget_header: nextStart(
    Type.Boolean({
      default: false,
      description: "Tell in `x-sluice-budget-left` what is left of the budget that has the least.",
    }),
  ),
});

export const journalSection = section("The writer of the ledger.", {
  queue_max: wholeSetting("Entries that may wait to be written before new work is refused.", {
    default: 20_000,
    maximum: 10_000_000,
  }),
  stall_ms: milliseconds("A write that takes longer makes the gateway refuse new work.", 2000),
  lease_ms: wholeSetting(
    "With PostgreSQL: a node that was not heard of for so long is called dead by the others.",
    { default: 10_000, minimum: 1000, maximum: 600_000 },
  ),
});

export const siteSection = convertedSection(
  "What people who are not signed in are shown.",
  each(live, {
    name: Type.String({
      minLength: 1,
      maxLength: 60,
      default: "Sluice",
      description: "What the gateway is called where people see it.",
    }),
    notice: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: "Plain text that stands beside the sign-in. Default: none.",
      }),
    ),
    default_language: languageSchema(
      "The language of pages for those who have chosen none, such as en, zh, ja or es. " +
        "Where there are no words of it, English stands in.",
      "en",
    ),
    shows_models: Type.Boolean({
      default: false,
      description: "Whether visitors see the models and what they cost.",
    }),
    shows_status: Type.Boolean({
      default: false,
      description: "Whether visitors see how the models are doing.",
    }),
  }),
  ({ notice, ...site }) => ({ ...site, notice: notice ?? null }),
);

const domain = Type.Refine(
  Type.String({ maxLength: 253 }),
  (text) => /^[^\s@.]+(?:\.[^\s@.]+)+$/.test(text),
  () => "must be a domain, such as example.com",
);

export const accountsSection = section("Who may make an account.", {
  ...each(live, {
    registration: Type.Enum(["off", "invitation", "open"], {
      default: "off",
      description: "Whether people may make their own account: off, with an invitation, or open.",
    }),
    starting_credit_micros: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000_000,
      default: 0,
      description: "What a new account begins with, in millionths of a US dollar.",
    }),
    starting_credit_after: Type.Enum(["registration", "email"], {
      default: "registration",
      description: "When who registered gets it: at once, or with a proven e-mail address.",
    }),
    organisations: Type.Enum(["admins", "everyone"], {
      default: "admins",
      description: "Who may make an organisation: admins of the gateway, or everyone.",
    }),
    keys_max: wholeSetting("API keys that one account may have.", {
      default: 1000,
      maximum: 1_000_000,
    }),
    email_domains: Type.Array(domain, {
      uniqueItems: true,
      maxItems: 1000,
      default: [],
      description: "Domains that addresses may be of; none listed allows any.",
    }),
  }),
  email: nextStart(
    Type.Enum(["off", "optional", "required"], {
      default: "optional",
      description: "Whether people have an e-mail address here, where there is a server for mail.",
    }),
  ),
});

export const tasksSection = convertedSection(
  "How work that vendors do in the background is looked after.",
  {
    deadline_minutes: live(
      wholeSetting("Time after which a task has failed and is paid back.", {
        default: 120,
        maximum: 10_080,
      }),
    ),
    ...each(nextStart, {
      poll_first_ms: milliseconds("Wait before a vendor is first asked about a task.", 2000),
      poll_most_ms: milliseconds("Longest wait between two questions.", 10_000),
      polls_per_channel: wholeSetting("Questions on their way to one channel at once.", {
        default: 16,
        maximum: 10_000,
      }),
      call_ms: milliseconds("Wait for a vendor's answer to one question.", 60_000),
    }),
  },
  ({ deadlineMinutes, ...tasks }) => ({ deadlineMs: deadlineMinutes * 60_000, ...tasks }),
);

export const imagesSection = section("How images are made.", {
  ...each(live, {
    call_ms: milliseconds("Longest wait for a vendor that draws.", 600_000),
    reply_bytes_max: wholeSetting("Largest answer of a vendor, with all its images.", {
      default: 256 * mebibyte,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
    waiting_max: wholeSetting(
      "Asynchronous tasks that may wait for a channel before more are refused.",
      {
        default: 1000,
        maximum: 1_000_000,
      },
    ),
    waiting_bytes_max: wholeSetting(
      "Bodies of asynchronous tasks in memory, waiting or under way.",
      {
        default: 256 * mebibyte,
        maximum: Number.MAX_SAFE_INTEGER,
      },
    ),
  }),
  runs_per_channel: nextStart(
    wholeSetting("Asynchronous tasks that one channel works on at once.", {
      default: 16,
      maximum: 10_000,
    }),
  ),
});

export const retentionSection = section("How long records are kept.", {
  log_days: live(
    wholeSetting("Days a line of the usage log is kept.", { default: 90, maximum: 36_500 }),
  ),
  // Books are verified as far back as this says, also by commands beside the gateway.
  usage_days: wholeSetting("Days the sums of usage are kept.", { default: 800, maximum: 36_500 }),
});
