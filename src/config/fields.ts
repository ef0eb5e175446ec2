// Single fields of what is declared: the checks that a JSON Schema cannot say, and the schemas that
// carry them.
import { perMinuteMax } from "../core/rate/bucket.ts";
import ipaddr from "ipaddr.js";
import { assert } from "../core/assert.ts";
import { credentialParts } from "../core/pass/credential.ts";
import { Type } from "../core/schema.ts";

const partsPerOne = 1_000_000;
const amountMax = 1_000_000_000_000;
// Signs that phones and Macs put in the place of ' " and - are taken as these are.
const nameSigns = "._'‘’“”…()（）·&+#@‐‑–—-";
// Commas part the names of a list, and what cannot be seen could make two names look like one.
const namePattern = patternOfNames(nameSigns);
const labelPattern = patternOfNames(`:/!?${nameSigns}`);

/** Control characters, marks of direction and spaces other than the plain one are in none. */
function patternOfNames(signs: string): RegExp {
  const sign = `(?!\\p{DI})[\\p{L}\\p{M}\\p{N} ${signs.slice(0, -1)}\\-]`;
  return new RegExp(`^(?![ \\p{M}])(?:${sign}){1,64}(?<! )$`, "u");
}

const dateTimePattern = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** A name: 1 to 64 letters and digits of any script, inner spaces and a few signs. */
export function isEntityName(text: string): boolean {
  return namePattern.test(text);
}

/** The same for what is named for people alone, and stands in no path and no list. */
export function isLabelName(text: string): boolean {
  return labelPattern.test(text);
}

/** The name of a role. */
export function isRoleName(text: string): boolean {
  return /^[a-z][a-z0-9-]{0,31}$/.test(text);
}

/** A multiplier in parts per million, exact; only a multiplier that passed the schema goes in. */
export function multiplierPpm(multiplier: number): number {
  assert(isMultiplier(multiplier), `bad multiplier: ${multiplier}`);
  return Math.round(multiplier * partsPerOne);
}

// A quotient of two whole numbers is rounded like the decimal text of the same value, so equality
// says that the text had no more than six decimals.
export function isMultiplier(value: number): boolean {
  return value >= 0 && value <= 1000 && Math.round(value * partsPerOne) / partsPerOne === value;
}

/** The moment as seconds since 1970; only a value that passed the schema goes in. */
export function unixSeconds(moment: number | string): number {
  assert(isMoment(moment), "bad moment");
  return typeof moment === "number" ? moment : Math.floor(Date.parse(moment) / 1000);
}

export function isMoment(moment: number | string): boolean {
  if (typeof moment === "number") return moment >= 0 && moment <= 253_402_300_799;
  const date = dateTimePattern.exec(moment)?.[1];
  if (date === undefined || Number.isNaN(Date.parse(moment))) return false;
  // The runtime takes 30 February for 2 March; the day must come back as it went in.
  return new Date(Date.parse(`${date}T00:00:00Z`)).toISOString().startsWith(date);
}

export function isZoneName(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Tag of a language, such as en, zh or pt-BR. */
export function languageSchema(description: string, fallback?: string) {
  const options = { pattern: "^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$", maxLength: 35, description };
  return Type.String(fallback === undefined ? options : { ...options, default: fallback });
}

export const momentField = (description: string) =>
  Type.Refine(
    Type.Unsafe<number | string>({ type: ["integer", "string"], description }),
    isMoment,
    () => "must be unix seconds or an RFC 3339 date and time with its zone",
  );

/** True for http(s) addresses that are an origin with an optional path, without credentials. */
function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return false;
  return url.username === "" && url.password === "" && !text.includes("?") && !text.includes("#");
}

/** True for the address of an HTTP proxy, which may have credentials in it. */
export function isProxyUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return false;
  return url.pathname === "/" && !text.includes("?") && !text.includes("#");
}

/** The host of an http address, and what has to be set where a private one is meant. */
export function privateAddressMessage(url: string): string {
  const host = URL.parse(url)?.hostname ?? url;
  return `${host} is a private address. Add allow_private: true to use it.`;
}

export function isAddressOrNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  // Numbers that begin with a zero are read as octal by some and as decimal by others.
  const isFourth = ipaddr.IPv4.isValidFourPartDecimal(address) && !/(?:^|\.)0\d/.test(address);
  if (!(isFourth || ipaddr.IPv6.isValid(address)) || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (isFourth ? 32 : 128);
}

export const name = (description: string) =>
  Type.Refine(
    Type.String({ minLength: 1, maxLength: 64, description }),
    isEntityName,
    () => "must be 1 to 64 letters or digits of any script, inner spaces or . _ - ' ( ) & + # @",
  );

/** Name of what is found by its id or shown to people: a key, a budget, a code. */
export const labelName = (description: string) =>
  Type.Refine(
    Type.String({ minLength: 1, maxLength: 64, description }),
    isLabelName,
    () =>
      "must be 1 to 64 letters or digits of any script, inner spaces " +
      "or . _ - ' ( ) & + # @ : / ! ?",
  );

function visible(description: string, maxLength: number) {
  return Type.Refine(
    Type.String({ minLength: 1, maxLength, description }),
    (text) => /^[\x21-\x7e]*$/.test(text),
    () => "must be visible ASCII characters without spaces",
  );
}

/**
 * A vendor's credential, which goes into HTTP headers as it is; some have a second part, and those
 * of clouds may be objects.
 */
export const credential = (description: string) =>
  Type.Refine(
    Type.String({ minLength: 1, maxLength: 8192, description }),
    (text) => /^[\x21-\x7e]+(?: [\x21-\x7e]+)?$/.test(text) || credentialParts(text) !== null,
    () => "must be visible ASCII characters without spaces",
  );
/** The full text of a key or token of ours; a longer one is refused before it is looked up. */
export const keyText = (description: string) => visible(description, 256);

export const baseUrl = (description: string) =>
  Type.Refine(
    Type.String({ description }),
    isBaseUrl,
    () => "must be an http or https address without credentials, query or fragment",
  );

export const proxyUrl = (description: string) =>
  Type.Refine(
    Type.String({ maxLength: 2048, description }),
    isProxyUrl,
    () => "must be an http or https address without a path",
  );

export const model = (description: string) =>
  Type.String({ minLength: 1, maxLength: 256, description });
/** Count a minute, which limits can keep exactly. */
export const perMinuteCount = (description: string) =>
  Type.Integer({ minimum: 1, maximum: perMinuteMax, description });
export const perMinute = (description: string) => Type.Optional(perMinuteCount(description));
export const concurrency = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description }));
export const waitMs = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400_000, description }));
export const amount = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: amountMax, description }));
export const spendable = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: amountMax, description }));
export const condition = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }));

/** Criteria among channels of one priority. */
export const channelPreferences = ["weight", "cost", "speed"] as const;
export type ChannelPreference = (typeof channelPreferences)[number];

/** An address that paths are put behind. */
export function withoutSlashes(url: string | undefined): string | null {
  return url?.replace(/\/+$/, "") ?? null;
}
