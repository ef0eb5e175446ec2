// The sections of the configuration file, each setting stated once: its key, its schema with
// description and default, the variable that wins over it, and how it is read.
import { Type } from "../core/schema.ts";
import { baseUrl } from "./fields.ts";
import {
  camelKeys,
  convertedSection,
  mebibyte,
  milliseconds,
  orVariable,
  section,
  wholeSetting,
} from "./setting.ts";

/** An address that paths are put behind. */
function originOf(url: string | undefined): string | null {
  return url?.replace(/\/+$/, "") ?? null;
}

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
    publicUrl: originOf(server.publicUrl),
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

export const timeoutsSection = section("How long one request may wait.", {
  first_byte_ms: milliseconds("Wait for an upstream's whole answer.", 300_000),
  stream_first_byte_ms: milliseconds(
    "Wait for the first content of an upstream's stream; never longer than first_byte_ms.",
    60_000,
  ),
  stall_ms: milliseconds("Longest silence inside an upstream's answer.", 120_000),
  total_ms: milliseconds("Longest whole request.", 1_800_000),
  write_stall_ms: milliseconds("Longest wait for a client that does not read.", 60_000),
  keep_alive_ms: milliseconds("Pause after which a silent stream gets a comment line.", 12_000),
});

export const textSection = section("What a text request may cost, and how its usage is learned.", {
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
  reply_model: Type.Enum(["served", "asked"], {
    default: "served",
    description: "The `model` in replies: as the upstream says, or as the client asked.",
  }),
  response_sockets: Type.Boolean({
    default: true,
    description: "Take responses over WebSocket; where off, agents are told to send a POST.",
  }),
});

export const distributionSection = section("How a channel is chosen and left.", {
  attempts_max: wholeSetting("Channels tried for one request.", { default: 4, maximum: 100 }),
  failures_to_eject: wholeSetting("Failures in a row that put a channel aside.", { default: 5 }),
  ejection_ms: milliseconds("How long a channel is put aside the first time.", 5000),
  ejection_ms_max: milliseconds("How long at most, after repeated failures.", 300_000),
  retry_budget_percent: wholeSetting("Retries allowed, in percent of requests.", {
    default: 20,
    minimum: 0,
    maximum: 100,
  }),
  wait_ms: wholeSetting(
    "How long a request waits where every channel is back within that time; 0 for not at all.",
    { default: 2000, minimum: 0, maximum: 60_000 },
  ),
  affinity: Type.Boolean({
    default: true,
    description: "Keep each conversation on one channel and key, where its prompt cache is.",
  }),
  unknown_model_status: Type.Enum([503, 404], {
    default: 503,
    description: "Status of a model that no channel serves: 503, or 404 as vendors have it.",
  }),
});

export const limitsSection = section("What the process may take on.", {
  memory_bytes_max: Type.Optional(
    Type.Integer({
      minimum: 64 * mebibyte,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "Memory past which new work is refused. Default: 80 % of the machine's or container's.",
    }),
  ),
  streams_max: wholeSetting("Answers in flight at once.", { default: 20_000, maximum: 1_000_000 }),
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

export const siteSection = section("What people who are not signed in are shown.", {
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
  default_language: Type.Enum(["en", "zh"], {
    default: "en",
    description: "The language of pages for those who have chosen none.",
  }),
  shows_models: Type.Boolean({
    default: false,
    description: "Whether visitors see the models and what they cost.",
  }),
  shows_status: Type.Boolean({
    default: false,
    description: "Whether visitors see how the models are doing.",
  }),
});

export const accountsSection = section("Who may make an account.", {
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
  keys_max: wholeSetting("API keys that one account may have.", {
    default: 1000,
    maximum: 1_000_000,
  }),
});

export const signInSection = section("What signing in demands.", {
  admin_second_factor: Type.Enum(["optional", "required"], {
    default: "optional",
    description: "Whether admins need a second factor; without one they can then only set one up.",
  }),
});

function lifetime(description: string, value: number) {
  return wholeSetting(description, { default: value, maximum: 31_536_000 });
}

export const sessionsSection = convertedSection(
  "How long a browser stays signed in.",
  {
    idle_seconds: lifetime("Time without a request after which a session ends.", 86_400),
    absolute_seconds: lifetime("Time after which a session ends in any case.", 1_209_600),
  },
  ({ idleSeconds, absoluteSeconds }) => ({
    idleMs: idleSeconds * 1000,
    absoluteMs: absoluteSeconds * 1000,
  }),
);

export const tasksSection = convertedSection(
  "How work that vendors do in the background is looked after.",
  {
    deadline_minutes: wholeSetting("Time after which a task has failed and is paid back.", {
      default: 120,
      maximum: 10_080,
    }),
    poll_first_ms: milliseconds("Wait before a vendor is first asked about a task.", 2000),
    poll_most_ms: milliseconds("Longest wait between two questions.", 10_000),
    polls_per_channel: wholeSetting("Questions on their way to one channel at once.", {
      default: 16,
      maximum: 10_000,
    }),
    call_ms: milliseconds("Wait for a vendor's answer to one question.", 60_000),
  },
  ({ deadlineMinutes, ...tasks }) => ({ deadlineMs: deadlineMinutes * 60_000, ...tasks }),
);

export const imagesSection = section("How images are made.", {
  call_ms: milliseconds("Longest wait for a vendor that draws.", 600_000),
  reply_bytes_max: wholeSetting("Largest answer of a vendor, with all its images.", {
    default: 256 * mebibyte,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  runs_per_channel: wholeSetting("Asynchronous tasks that one channel works on at once.", {
    default: 16,
    maximum: 10_000,
  }),
  waiting_max: wholeSetting(
    "Asynchronous tasks that may wait for a channel before more are refused.",
    {
      default: 1000,
      maximum: 1_000_000,
    },
  ),
  waiting_bytes_max: wholeSetting("Bodies of asynchronous tasks in memory, waiting or under way.", {
    default: 256 * mebibyte,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
});

const s3Text = (description: string) => Type.String({ minLength: 1, maxLength: 1024, description });

export const mediaSection = convertedSection(
  "Where results are kept and how media is fetched.",
  {
    storage: Type.Enum(["folder", "s3"], {
      default: "folder",
      description: "Where results are kept: in the data folder, or in an S3-compatible store.",
    }),
    s3: Type.Optional(
      Type.Object(
        {
          endpoint: baseUrl("Address of the store."),
          region: Type.Optional(s3Text("Region of the bucket. Default: auto.")),
          bucket: s3Text("Name of the bucket."),
          prefix: Type.Optional(s3Text("Text before every name, such as sluice/. Default: none.")),
          access_key_id: s3Text("Id of the access key."),
          secret_access_key: s3Text("Secret of the access key."),
        },
        { additionalProperties: false, description: "The store, when storage is s3." },
      ),
    ),
    shared_folder: orVariable(
      "SLUICE_MEDIA_FOLDER",
      Type.Optional(
        s3Text("Folder for results that every node has mounted; with database_url this or s3."),
      ),
    ),
    public_url: Type.Optional(baseUrl("Address in links to results. Default: server.public_url.")),
    url_ttl_minutes: wholeSetting("How long a link to a result lives at least.", {
      default: 1440,
      maximum: 525_600,
    }),
    retention_days: wholeSetting("Days a result is kept.", { default: 30, maximum: 36_500 }),
    bytes_max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "All results together; past it the oldest go. Default: no limit.",
      }),
    ),
    file_bytes_max: wholeSetting("Largest result that is kept.", {
      default: 2048 * mebibyte,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
    fetch_timeout_ms: milliseconds("Longest download of one file.", 300_000),
    allowed_ports: Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), {
      uniqueItems: true,
      default: [],
      description: "Ports besides 80 and 443 that the URLs of users may name.",
    }),
    private_hosts: Type.Array(Type.String({ minLength: 1, maxLength: 260 }), {
      uniqueItems: true,
      default: [],
      description: "Hosts on networks of your own, with their port, that URLs may lead to.",
    }),
  },
  ({ storage, s3, urlTtlMinutes, ...media }) => ({
    ...media,
    /** Null keeps results in the data folder. */
    s3: storage === "s3" && s3 ? { region: "auto", prefix: "", ...camelKeys(s3) } : null,
    sharedFolder: media.sharedFolder ?? null,
    publicUrl: originOf(media.publicUrl),
    linkTtlSeconds: urlTtlMinutes * 60,
    bytesMax: media.bytesMax ?? null,
  }),
);

export const retentionSection = section("How long records are kept.", {
  log_days: wholeSetting("Days a line of the usage log is kept.", { default: 90, maximum: 36_500 }),
  usage_days: wholeSetting("Days the sums of usage are kept.", { default: 800, maximum: 36_500 }),
});
