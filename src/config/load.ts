// One file and the environment become one frozen Config, or one error that names every problem.
import { totalmem } from "node:os";
import { deepFreeze, type Config } from "./config.ts";
import type { Environment } from "./environment.ts";
import { defaultFile, readConfigFile, type ReadFile } from "./file.ts";
import { availableMemoryBytes } from "./memory.ts";
import { readProviders } from "./oauth.ts";
import { readProxies } from "./proxies.ts";
import { ConfigError } from "./problems.ts";
import type { ConfigFile } from "./schema.ts";
import { readVariables, type Variables } from "./variables.ts";

export interface ConfigSource {
  environment: Environment;
  /** The text of a file, or null when it cannot be read. */
  readFile(path: string): string | null;
}

const memoryShare = 0.8;

export function loadConfig(source: ConfigSource): Config {
  const { environment, readFile } = source;
  const { variables, problems } = readVariables(environment, readFile);
  const read = readFileOf(variables, source);
  const { proxies, problems: unusable } = readProxies(environment);
  const all = [...problems, ...unusable, ...read.problems];
  if (all.length > 0) throw new ConfigError(all);
  const { landing } = read.file.oauth;
  const { providers, problems: missing } = readProviders(read.file.oauth, environment, readFile);
  if (missing.length > 0) throw new ConfigError(missing);
  const memoryBytes = availableMemoryBytes(totalmem(), readFile);
  const config = toConfig(read.file, variables, Math.floor(memoryBytes * memoryShare));
  return deepFreeze({ ...config, proxies, oauth: { landing, providers } });
}

function readFileOf(variables: Variables, { environment, readFile }: ConfigSource): ReadFile {
  const path = variables.SLUICE_CONFIG;
  if (path === undefined) return { file: defaultFile(), problems: [] };
  const text = readFile(path);
  if (text !== null) return readConfigFile(path, text, environment);
  const problem = `environment SLUICE_CONFIG names a file that cannot be read: ${path}`;
  return { file: defaultFile(), problems: [problem] };
}

function toConfig(
  file: ConfigFile,
  variables: Variables,
  memoryBytesDefault: number,
): Omit<Config, "oauth" | "proxies"> {
  const { distribution } = file;
  return {
    server: toServer(file.server, variables),
    dataFolder: variables.SLUICE_DATA ?? file.data,
    databaseUrl: (variables.SLUICE_DATABASE_URL ?? file.database_url) || null,
    redisUrl: (variables.SLUICE_REDIS_URL ?? file.redis_url) || null,
    secret: variables.SLUICE_SECRET ?? null,
    root: {
      password: variables.SLUICE_ROOT_PASSWORD ?? null,
      key: variables.SLUICE_ROOT_KEY ?? null,
      token: variables.SLUICE_ROOT_TOKEN ?? null,
    },
    sandbox: variables.SLUICE_SANDBOX ?? file.sandbox,
    log: { level: variables.SLUICE_LOG_LEVEL ?? file.log.level, requests: file.log.requests },
    timeouts: toTimeouts(file.timeouts),
    text: {
      outputTokensMaxDefault: file.text.output_tokens_max_default,
      imageTokensMax: file.text.image_tokens_max,
    },
    distribution: {
      attemptsMax: distribution.attempts_max,
      failuresToEject: distribution.failures_to_eject,
      ejectionMs: distribution.ejection_ms,
      ejectionMsMax: distribution.ejection_ms_max,
      retryBudgetPercent: distribution.retry_budget_percent,
    },
    limits: {
      memoryBytesMax: file.limits.memory_bytes_max ?? memoryBytesDefault,
      streamsMax: file.limits.streams_max,
    },
    journal: { queueMax: file.journal.queue_max, stallMs: file.journal.stall_ms },
    accounts: { registration: file.accounts.registration },
    signIn: { adminSecondFactor: file.sign_in.admin_second_factor },
    sessions: {
      idleMs: file.sessions.idle_seconds * 1000,
      absoluteMs: file.sessions.absolute_seconds * 1000,
    },
    tasks: toTasks(file.tasks),
    images: {
      callMs: file.images.call_ms,
      replyBytesMax: file.images.reply_bytes_max,
      runsPerChannel: file.images.runs_per_channel,
      waitingMax: file.images.waiting_max,
      waitingBytesMax: file.images.waiting_bytes_max,
    },
    media: toMedia(file.media, toServer(file.server, variables).publicUrl),
    unpriced: file.unpriced,
    retention: { logDays: file.retention.log_days, usageDays: file.retention.usage_days },
    declared: {
      groups: file.groups,
      channels: file.channels,
      prices: file.prices,
      keys: file.keys,
    },
    configPath: variables.SLUICE_CONFIG ?? null,
  };
}

function toTimeouts(timeouts: ConfigFile["timeouts"]): Config["timeouts"] {
  return {
    firstByteMs: timeouts.first_byte_ms,
    stallMs: timeouts.stall_ms,
    totalMs: timeouts.total_ms,
    writeStallMs: timeouts.write_stall_ms,
    keepAliveMs: timeouts.keep_alive_ms,
  };
}

function toServer(server: ConfigFile["server"], variables: Variables): Config["server"] {
  const publicUrl = variables.SLUICE_PUBLIC_URL ?? server.public_url ?? null;
  return {
    host: variables.HOST ?? server.host,
    port: variables.PORT ?? server.port,
    publicUrl: publicUrl?.replace(/\/+$/, "") ?? null,
    allowedHosts: server.allowed_hosts,
    trustProxy: server.trust_proxy,
    bodyBytesMax: server.body_bytes_max,
    textBodyBytesMax: Math.min(server.text_body_bytes_max, server.body_bytes_max),
    drainMs: server.drain_seconds * 1000,
  };
}

function toTasks(tasks: ConfigFile["tasks"]): Config["tasks"] {
  return {
    deadlineMs: tasks.deadline_minutes * 60_000,
    pollFirstMs: tasks.poll_first_ms,
    pollMostMs: tasks.poll_most_ms,
    pollsPerChannel: tasks.polls_per_channel,
    callMs: tasks.call_ms,
  };
}

function toMedia(media: ConfigFile["media"], publicUrl: string | null): Config["media"] {
  const { s3 } = media;
  return {
    s3:
      media.storage === "s3" && s3
        ? {
            endpoint: s3.endpoint,
            region: s3.region ?? "auto",
            bucket: s3.bucket,
            prefix: s3.prefix ?? "",
            accessKeyId: s3.access_key_id,
            secretAccessKey: s3.secret_access_key,
          }
        : null,
    publicUrl: media.public_url?.replace(/\/+$/, "") ?? publicUrl,
    linkTtlSeconds: media.url_ttl_minutes * 60,
    retentionDays: media.retention_days,
    bytesMax: media.bytes_max ?? null,
    fileBytesMax: media.file_bytes_max,
    fetchTimeoutMs: media.fetch_timeout_ms,
    allowedPorts: media.allowed_ports,
    privateHosts: media.private_hosts,
  };
}
