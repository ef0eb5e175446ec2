// The one configuration object that the rest of the program reads. It never changes once loaded; a
// reload makes a new one.
import type { LogLevel } from "../core/log.ts";
import type { ProxyRules } from "../core/proxy-rules.ts";
import type { ChannelInput, GroupInput, KeyInput, PriceInput } from "./entities.ts";
import type { OAuthSettings } from "./oauth.ts";
import type { AdminSecondFactor, Registration } from "./schema.ts";

export interface Config {
  readonly server: {
    readonly host: string;
    readonly port: number;
    readonly publicUrl: string | null;
    readonly allowedHosts: readonly string[];
    readonly trustProxy: boolean;
    readonly bodyBytesMax: number;
    readonly textBodyBytesMax: number;
    readonly drainMs: number;
  };
  /** Those of the environment. */
  readonly proxies: ProxyRules;
  readonly dataFolder: string;
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly secret: string | null;
  readonly root: {
    readonly password: string | null;
    readonly key: string | null;
    readonly token: string | null;
  };
  readonly sandbox: "auto" | "on" | "off";
  readonly log: { readonly level: LogLevel; readonly requests: boolean };
  readonly timeouts: {
    readonly firstByteMs: number;
    readonly stallMs: number;
    readonly totalMs: number;
    readonly writeStallMs: number;
    readonly keepAliveMs: number;
  };
  readonly text: { readonly outputTokensMaxDefault: number; readonly imageTokensMax: number };
  readonly distribution: {
    readonly attemptsMax: number;
    readonly failuresToEject: number;
    readonly ejectionMs: number;
    readonly ejectionMsMax: number;
    readonly retryBudgetPercent: number;
  };
  readonly limits: { readonly memoryBytesMax: number; readonly streamsMax: number };
  readonly journal: { readonly queueMax: number; readonly stallMs: number };
  readonly accounts: { readonly registration: Registration };
  readonly signIn: { readonly adminSecondFactor: AdminSecondFactor };
  readonly sessions: { readonly idleMs: number; readonly absoluteMs: number };
  readonly oauth: {
    readonly landing: string;
    readonly providers: readonly OAuthSettings[];
  };
  readonly tasks: {
    readonly deadlineMs: number;
    readonly pollFirstMs: number;
    readonly pollMostMs: number;
    readonly pollsPerChannel: number;
    readonly callMs: number;
  };
  readonly images: {
    readonly callMs: number;
    readonly replyBytesMax: number;
    readonly runsPerChannel: number;
    readonly waitingMax: number;
    readonly waitingBytesMax: number;
  };
  readonly media: {
    /** Null keeps results in the data folder. */
    readonly s3: {
      readonly endpoint: string;
      readonly region: string;
      readonly bucket: string;
      readonly prefix: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
    } | null;
    readonly publicUrl: string | null;
    readonly linkTtlSeconds: number;
    readonly retentionDays: number;
    readonly bytesMax: number | null;
    readonly fileBytesMax: number;
    readonly fetchTimeoutMs: number;
    readonly allowedPorts: readonly number[];
    readonly privateHosts: readonly string[];
  };
  readonly unpriced: "refuse" | "free";
  readonly retention: { readonly logDays: number; readonly usageDays: number };
  /** What the file declares as code, in the words of the wire. */
  readonly declared: {
    readonly groups: readonly GroupInput[];
    readonly channels: readonly ChannelInput[];
    readonly prices: readonly PriceInput[];
    readonly keys: readonly KeyInput[];
  };
  readonly configPath: string | null;
}

/** Freezes a tree of plain objects and arrays in place. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}
