import { expect, test } from "bun:test";
import { totalmem } from "node:os";
import { readEnvironment, readTextFile } from "./environment.ts";
import { loadConfig } from "./load.ts";
import { ConfigError } from "./problems.ts";

type Files = Record<string, string>;

function load(yaml: string | null, environment: Record<string, string> = {}, files: Files = {}) {
  const all: Files = yaml === null ? files : { ...files, "sluice.yaml": yaml };
  return loadConfig({
    environment: yaml === null ? environment : { SLUICE_CONFIG: "sluice.yaml", ...environment },
    readFile: (path) => all[path] ?? null,
  });
}

async function problems(
  yaml: string | null,
  environment: Record<string, string> = {},
  files?: Files,
) {
  try {
    await load(yaml, environment, files);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const tasksDefault = {
  deadlineMs: 7_200_000,
  pollFirstMs: 2000,
  pollMostMs: 10_000,
  pollsPerChannel: 16,
  callMs: 60_000,
};

const tracingDefault = {
  headers: {},
  serviceName: "sluice",
  sampleRatio: 1,
  queueMax: 8192,
  intervalMs: 2000,
};
const contentLogDefault = {
  enabled: false,
  headers: {},
  retentionDays: 7,
  bytesMax: 1_073_741_824,
  textCharactersMax: 65_536,
  redact: ["secrets" as const, "emails" as const, "cards" as const],
  patterns: [],
};
const noticesDefault = {
  checkSeconds: 30,
  lowBalanceMicros: 1_000_000,
  lowKeyPercent: 10,
  channelOutMinutes: 10,
  webhookTries: 5,
  diskFreePercent: 10,
  quiet: null,
  destinations: [],
};
const siteDefault = {
  name: "Sluice",
  notice: null,
  defaultLanguage: "en",
  showsModels: false,
  showsStatus: false,
} as const;

const accountsDefault = {
  registration: "off" as const,
  startingCreditMicros: 0,
  startingCreditAfter: "registration" as const,
  organisations: "admins" as const,
  keysMax: 1000,
  email: "optional" as const,
  emailDomains: [],
};
const imagesDefault = {
  callMs: 600_000,
  replyBytesMax: 268_435_456,
  runsPerChannel: 16,
  waitingMax: 1000,
  waitingBytesMax: 268_435_456,
};

const distributionDefault = {
  attemptsMax: 4,
  failuresToEject: 5,
  ejectionMs: 5000,
  ejectionMsMax: 300_000,
  retryBudgetPercent: 20,
  waitMs: 2000,
  affinity: true,
  unknownModelStatus: 503,
} as const;
const readOnDefaults = { readOnMs: 10_000, readOnBytesMax: 8_388_608, readOnMax: 256 };

const serverDefault = {
  host: "127.0.0.1",
  port: 3000,
  publicUrl: null,
  nodeName: null,
  allowedHosts: [],
  trustProxy: false,
  bodyBytesMax: 67_108_864,
  textBodyBytesMax: 33_554_432,
  bodyMs: 300_000,
  leaveMs: 0,
  drainMs: 60_000,
};

const limitsDefault = {
  memoryBytesMax: Math.floor(totalmem() * 0.8),
  streamsMax: 20_000,
  budgetHeader: false,
};

test("N17 without a file or variables the defaults hold", async () => {
  expect(await load(null)).toEqual({
    server: serverDefault,
    node: null,
    proxies: { http: null, https: null, exempt: [] },
    cloud: {},
    dataFolder: "./data",
    databaseUrl: null,
    redisUrl: null,
    secret: null,
    secretAlso: null,
    secretLost: false,
    root: { password: null, key: null, token: null },
    remote: { url: null, token: null, key: null },
    sandbox: "auto",
    console: { enabled: true },
    log: { level: "info", requests: false },
    timeouts: {
      firstByteMs: 300_000,
      streamFirstByteMs: 60_000,
      stallMs: 120_000,
      totalMs: 1_800_000,
      writeStallMs: 60_000,
      keepAliveMs: 12_000,
    },
    text: {
      outputTokensMaxDefault: 64_000,
      imageTokensMax: 4096,
      secondLook: "on",
      replyModel: "served",
      ...readOnDefaults,
      repeatMs: 86_400_000,
      repeatBytesMax: 2 * 1024 * 1024,
      repeatAccountBytesMax: 64 * 1024 * 1024,
      repeatReadOnMs: 600_000,
      responseSockets: true,
    },
    distribution: distributionDefault,
    limits: limitsDefault,
    journal: { queueMax: 20_000, stallMs: 2000, leaseMs: 10_000 },
    site: siteDefault,
    accounts: accountsDefault,
    signIn: { adminSecondFactor: "optional", link: "off" },
    sessions: { idleMs: 86_400_000, absoluteMs: 1_209_600_000 },
    oauth: { landing: "/", providers: [] },
    tasks: tasksDefault,
    images: imagesDefault,
    media: {
      s3: null,
      publicUrl: null,
      sharedFolder: null,
      linkTtlSeconds: 86_400,
      retentionDays: 30,
      bytesMax: null,
      fileBytesMax: 2_147_483_648,
      fetchTimeoutMs: 300_000,
      allowedPorts: [],
      privateHosts: [],
    },
    unpriced: "refuse",
    retention: { logDays: 90, usageDays: 800 },
    tracing: tracingDefault,
    contentLog: contentLogDefault,
    notices: noticesDefault,
    mail: { footer: null, hourlyMax: 200 },
    smtp: null,
    declared: { groups: [], channels: [], prices: [], models: [], keys: [], budgets: [] },
    configPath: null,
  });
});

test("one of several nodes on a port has its share of the memory", async () => {
  const config = await load(null, { SLUICE_NODE: "2/4", SLUICE_NODE_PORT: "3102" });
  expect(config.node).toEqual({ number: 2, count: 4, ownPort: 3102 });
  expect(config.limits.memoryBytesMax).toBe(Math.floor(Math.floor(totalmem() * 0.8) / 4));
});

test("settings that need e-mail say so where there is no server, and it is named once", async () => {
  const wants: Record<string, string> = {
    "accounts: { email: required }": "mail.smtp is required with accounts.email: required",
    "accounts: { starting_credit_after: email }":
      "mail.smtp is required with accounts.starting_credit_after: email",
    "sign_in: { link: on }": "mail.smtp is required with sign_in.link: on",
  };
  const server = "smtp: { host: mail.example, from: a@b.example }";
  for (const [wish, problem] of Object.entries(wants)) {
    expect(await problems(wish)).toEqual([problem]);
    for (const place of ["mail", "notices"]) {
      expect(await problems(`${wish}\n${place}: { ${server} }`)).toEqual([]);
    }
  }
  expect(await problems(`mail: { ${server} }\nnotices: { ${server} }`)).toEqual([
    "notices.smtp is the older place of mail.smtp: set one of them",
  ]);
  const off = `accounts: { email: off }\nsign_in: { link: on }\nmail: { ${server} }`;
  expect(await problems(off)).toEqual(["accounts.email must not be off with sign_in.link: on"]);
  const expected = { tls: "starttls", host: "mail.example", from: "a@b.example" } as const;
  expect((await load(`notices: { ${server} }`)).smtp).toEqual(expected);
});

test("who is told has a name and an address of its own, and e-mail a server to go through", async () => {
  expect(await problems("notices: { destinations: [{ name: a, type: slack }] }")).toEqual([
    "sluice.yaml:1:26 notices.destinations must have names of their own, a hook_url each, " +
      "or for email addresses in to",
  ]);
  expect(
    await problems("notices: { destinations: [{ name: a, type: email, to: [a@b.c] }] }"),
  ).toEqual(["mail.smtp is required with a destination of type email"]);
  const quiet = "quiet: { from: '22:00', to: '07:00' }";
  expect((await load(`notices: { ${quiet} }`)).notices.quiet).toEqual({
    from: "22:00",
    to: "07:00",
    zone: "UTC",
    except: ["disk_full"],
  });
});

test("results go to the bucket that is named, and one must be named", async () => {
  expect(await problems("media: { storage: s3 }")).toEqual([
    "sluice.yaml:1:8 media.s3 is required when storage is s3",
  ]);
  const s3 = "{ endpoint: http://s3.example, bucket: b, access_key_id: i, secret_access_key: s }";
  expect((await load(`media: { storage: s3, s3: ${s3} }`)).media.s3).toEqual({
    endpoint: "http://s3.example",
    region: "auto",
    bucket: "b",
    prefix: "",
    accessKeyId: "i",
    secretAccessKey: "s",
  });
  expect((await load(`media: { s3: ${s3} }`)).media.s3).toBeNull();
});

test("an empty file and a file of comments are the defaults too", async () => {
  expect((await load("")).server.port).toBe(3000);
  expect((await load("# nothing yet\n")).configPath).toBe("sluice.yaml");
});

test("the environment wins over the file, and the file over the defaults", async () => {
  const yaml = [
    "server: { host: 10.0.0.1, port: 4000, public_url: https://file.example }",
    "data: /file",
    "sandbox: on",
    "log: { level: warn, requests: false }",
  ].join("\n");
  const fromFile = await load(yaml);
  expect(fromFile.server).toMatchObject({ host: "10.0.0.1", port: 4000, drainMs: 60_000 });
  expect(fromFile.log).toEqual({ level: "warn", requests: false });
  const config = await load(yaml, {
    HOST: "0.0.0.0",
    PORT: "0",
    SLUICE_DATA: "/environment",
    SLUICE_SANDBOX: "off",
    SLUICE_PUBLIC_URL: "https://environment.example/",
    SLUICE_LOG_LEVEL: "error",
  });
  expect(config.server).toMatchObject({
    host: "0.0.0.0",
    port: 0,
    publicUrl: "https://environment.example",
  });
  expect(config.dataFolder).toBe("/environment");
  expect(config.sandbox).toBe("off");
  expect(config.log).toEqual({ level: "error", requests: false });
});

test("every setting of the file reaches the configuration in its own units", async () => {
  const config = await load(
    [
      "server: { allowed_hosts: [a.example], trust_proxy: true, body_bytes_max: 1000, drain_seconds: 3 }",
      "timeouts: { first_byte_ms: 1, stall_ms: 2, total_ms: 3, write_stall_ms: 4, keep_alive_ms: 5, stream_first_byte_ms: 19 }",
      "text:",
      "  { output_tokens_max_default: 6, image_tokens_max: 7, second_look: off,",
      "    read_on_ms: 8, read_on_bytes_max: 9, read_on_max: 10, repeat_ms: 21, repeat_bytes_max: 22,",
      "    repeat_account_bytes_max: 23, repeat_read_on_ms: 24, reply_model: asked, response_sockets: false }",
      "distribution: { attempts_max: 8, failures_to_eject: 9, ejection_ms: 10, ejection_ms_max: 11, retry_budget_percent: 12, wait_ms: 20, affinity: false, unknown_model_status: 404 }",
      "limits: { memory_bytes_max: 70000000, streams_max: 13 }",
      "journal: { queue_max: 14, stall_ms: 15 }",
      "accounts: { registration: invitation }",
      "sessions: { idle_seconds: 17, absolute_seconds: 18 }",
      "unpriced: free",
      "retention: { log_days: 16 }",
    ].join("\n"),
  );
  expect(config.server).toMatchObject({ allowedHosts: ["a.example"], trustProxy: true });
  expect(config.server).toMatchObject({
    bodyBytesMax: 1000,
    textBodyBytesMax: 1000,
    drainMs: 3000,
  });
  expect(Object.values(config.timeouts)).toEqual([1, 2, 3, 4, 5, 19]);
  expect(Object.values(config.text)).toEqual([
    6,
    7,
    "off",
    8,
    9,
    10,
    21,
    22,
    23,
    24,
    "asked",
    false,
  ]);
  expect(Object.values(config.distribution)).toEqual([8, 9, 10, 11, 12, 20, false, 404]);
  expect(config.limits).toEqual({
    memoryBytesMax: 70_000_000,
    streamsMax: 13,
    budgetHeader: false,
  });
  expect(config.journal).toEqual({ queueMax: 14, stallMs: 15, leaseMs: 10_000 });
  expect(config.accounts.registration).toBe("invitation");
  expect(config.sessions).toEqual({ idleMs: 17_000, absoluteMs: 18_000 });
  expect([config.unpriced, config.retention.logDays]).toEqual(["free", 16]);
});

test("the configuration is frozen to its leaves", async () => {
  const config = await load(
    "channels:\n  - { name: a, type: openai, base_url: https://v.example, key: k, models: [m], parameters: { set: { x: { y: [1] } } } }\n",
  );
  function check(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    expect(Object.isFrozen(value)).toBe(true);
    for (const child of Object.values(value)) check(child);
  }
  check(config);
  expect(() => Reflect.defineProperty(config.server, "port", { value: 1 })).not.toThrow();
  expect(config.server.port).toBe(3000);
});

test("the secrets come from the environment or from the files it names", async () => {
  const config = await load(
    null,
    {
      SLUICE_SECRET_FILE: "/run/secret",
      SLUICE_ROOT_PASSWORD: "hunter2hunter2",
      SLUICE_ROOT_KEY_FILE: "/run/key",
      SLUICE_ROOT_TOKEN: "sat-token",
    },
    { "/run/secret": "top secret\n", "/run/key": "sk-root-key\r\n" },
  );
  expect(config.secret).toBe("top secret");
  expect(config.root).toEqual({
    password: "hunter2hunter2",
    key: "sk-root-key",
    token: "sat-token",
  });
});

test("a secret's file that is missing, empty or beside the variable is refused", async () => {
  expect(await problems(null, { SLUICE_SECRET_FILE: "/none" })).toEqual([
    "environment SLUICE_SECRET_FILE names a file that cannot be read",
  ]);
  expect(await problems(null, { SLUICE_SECRET_FILE: "/empty" }, { "/empty": "\n" })).toEqual([
    "environment SLUICE_SECRET_FILE names an empty file",
  ]);
  const both = { SLUICE_ROOT_KEY: "sk-aaaaaaaaaa", SLUICE_ROOT_KEY_FILE: "/key" };
  expect(await problems(null, both, { "/key": "sk-bbbbbbbbbb" })).toEqual([
    "environment SLUICE_ROOT_KEY and SLUICE_ROOT_KEY_FILE must not both be set",
  ]);
});

test("an empty variable counts as not set", async () => {
  const config = await load(null, { PORT: "", SLUICE_DATABASE_URL: "", SLUICE_SECRET: "" });
  expect(config.server.port).toBe(3000);
  expect([config.databaseUrl, config.secret]).toEqual([null, null]);
});

test("wrong variables are named, all at once and beside the file's problems", async () => {
  const wrong = { PORT: "http", SLUICE_SANDBOX: "maybe", SLUICE_PUBLIC_URL: "ftp://x" };
  expect(await problems("unpriced: never\n", wrong)).toEqual([
    "environment PORT must be integer",
    "environment SLUICE_SANDBOX must be one of auto, on, off",
    "environment SLUICE_PUBLIC_URL must be an http or https address without credentials, query or fragment",
    "sluice.yaml:1:11 unpriced must be one of refuse, free",
  ]);
  expect(await problems(null, { PORT: "65536" })).toEqual(["environment PORT must be <= 65535"]);
});

test("an unknown variable of ours is refused with the nearest name", async () => {
  expect(await problems(null, { SLUICE_DATBASE_URL: "x" })).toEqual([
    "environment SLUICE_DATBASE_URL is not known; did you mean SLUICE_DATABASE_URL?",
  ]);
  expect(await problems(null, { SLUICE_PORT: "1" })).toEqual([
    "environment SLUICE_PORT is not known; did you mean PORT?",
  ]);
  expect(await problems(null, { SLUICE_COMPLETELY_DIFFERENT: "1" })).toEqual([
    "environment SLUICE_COMPLETELY_DIFFERENT is not known",
  ]);
  expect(
    await problems(null, { SLUICE_HOME: "/x", SLUICE_SANDBOX_SEED: "1", PATH: "/bin" }),
  ).toEqual([]);
});

test("hazard H11 E8 an environment that would leak or misdirect requests refuses the start", async () => {
  for (const name of ["ALL_PROXY", "All_Proxy", "BUN_CONFIG_VERBOSE_FETCH"]) {
    const [problem] = await problems(null, { [name]: "http://user:word@proxy.example:1" });
    expect(problem).toStartWith(`environment ${name} must be unset: `);
    expect(problem).not.toContain("word");
  }
  expect(await problems(null, { NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toEqual([
    "environment NODE_TLS_REJECT_UNAUTHORIZED must be unset: it switches off the check of upstream certificates",
  ]);
  const harmless = { NODE_TLS_REJECT_UNAUTHORIZED: "1", HTTP_PROXY: "", NO_PROXY: "*" };
  expect(await problems(null, harmless)).toEqual([]);
});

test("the usual proxy variables are read, those in small letters first", async () => {
  const environment = {
    HTTP_PROXY: "http://big.example:1",
    http_proxy: "http://user:word@small.example:1",
    HTTPS_PROXY: "https://secret.example:2/",
    NO_PROXY: "vendor.example, 10.0.0.0/8 ,",
  };
  expect((await load(null, environment)).proxies).toEqual({
    http: "http://user:word@small.example:1",
    https: "https://secret.example:2/",
    exempt: ["vendor.example", "10.0.0.0/8"],
  });
  for (const text of ["socks5://user:word@proxy.example:1", "word.example", "http://a/word"]) {
    expect(await problems(null, { https_proxy: text })).toEqual([
      "environment https_proxy must be an http or https address without a path",
    ]);
  }
});

test("an address of Redis is told by how it begins", async () => {
  expect(await problems("redis_url: ''\n", { SLUICE_REDIS_URL: "h:6379" })).toEqual([
    "environment SLUICE_REDIS_URL must be an address that begins with redis:// or rediss://",
  ]);
});

test("a database is PostgreSQL's, and needs a secret that every node has", async () => {
  const secret = "a secret that all of the nodes know";
  const both = { SLUICE_DATABASE_URL: "postgres://u:word@h/d", SLUICE_SECRET: secret };
  expect((await load(null, both)).databaseUrl).toBe("postgres://u:word@h/d");
  expect(await problems(null, { SLUICE_DATABASE_URL: "postgresql://u:word@h/d" })).toEqual([
    "environment SLUICE_SECRET is required with a database_url, the same on each node",
  ]);
  expect(await problems("database_url: mysql://u:word@h/d\n", { SLUICE_SECRET: secret })).toEqual([
    "sluice.yaml:1:15 database_url must begin with postgres://",
  ]);
});

test("a file that cannot be read is named", async () => {
  expect(await problems(null, { SLUICE_CONFIG: "none.yaml" })).toEqual([
    "environment SLUICE_CONFIG names a file that cannot be read: none.yaml",
  ]);
});

test("the memory limit follows the smallest control group above the process", async () => {
  const files = {
    "/proc/self/cgroup": "0::/system.slice/sluice.service\n",
    "/sys/fs/cgroup/memory.max": "max\n",
    "/sys/fs/cgroup/system.slice/memory.max": "100000000\n",
    "/sys/fs/cgroup/system.slice/sluice.service/memory.max": "200000000\n",
  };
  expect((await load(null, {}, files)).limits.memoryBytesMax).toBe(80_000_000);
  const older = { "/sys/fs/cgroup/memory/memory.limit_in_bytes": "50000000\n" };
  expect((await load(null, {}, older)).limits.memoryBytesMax).toBe(40_000_000);
});

test("no secret of any source shows in an error", async () => {
  const secret = "word-that-must-not-show";
  const yaml = [
    "channels:",
    `  - { name: a, type: nope, base_url: "https://u:${secret}@h", key: "${secret} ${secret}" }`,
    `  - { name: a, keys: ["\${PASTED_SECRET}", "\${${secret}}"], headers: { A: "${secret}\\n" } }`,
    "keys:",
    `  - { name: k, key: ${secret}, group: "${secret}/${secret}", expires_at: ${secret} }`,
    `  - { name: l, key: ${secret}, quota_micros: ${secret}, allow_ips: [${secret}] }`,
    `unpriced: ${secret}`,
  ].join("\n");
  const environment = {
    PASTED_SECRET: `${secret}\n`,
    PORT: secret,
    SLUICE_ROOT_KEY: `${secret} x`,
  };
  const found = await problems(yaml, environment);
  expect(found.length).toBeGreaterThan(12);
  expect(found.join("\n")).not.toContain(secret);
  const broken = await problems(`keys:\n  - key: ${secret}: [\n ${secret}: @${secret}\n`);
  expect(broken.length).toBeGreaterThan(0);
  expect(broken.join("\n")).not.toContain(secret);
  expect((await problems("sk-abcdefghijkl: 1\n")).join()).toBe(
    "sluice.yaml:1:1 [secret] is not known",
  );
});

test("the process's own environment and files are read as they are", async () => {
  expect(readEnvironment()["PATH"]).toBe(process.env["PATH"]);
  expect(readTextFile(import.meta.path)).toStartWith("import ");
  expect(readTextFile(`${import.meta.path}.none`)).toBeNull();
  expect(readTextFile(import.meta.dir)).toBeNull();
});

test("without a folder of its own the data is in the program's, wherever it is called from", async () => {
  expect((await load(null, { SLUICE_HOME: "/opt/sluice" })).dataFolder).toBe("/opt/sluice/data");
  const told = { SLUICE_HOME: "/opt/sluice", SLUICE_DATA: "./data" };
  expect((await load(null, told)).dataFolder).toBe("./data");
});
