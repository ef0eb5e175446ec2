// The cookies of a session and of a sign-in that is under way. Over https their names have the
// prefix that keeps other hosts and plain http from setting them; over plain http browsers refuse
// that prefix, so there the names go without.
import { transportOf, type OriginRules, type OriginTransport } from "./origin.ts";

const prefixes: Readonly<Record<OriginTransport, string | null>> = {
  secure: "__Host-",
  plain: "",
  unknown: null,
};

/** The names that a session's cookie has, by how the gateway is reached. */
export const sessionCookies = { https: "__Host-sluice-session", plain: "sluice-session" } as const;

type CookieName =
  "sluice-session" | "sluice-oauth" | "sluice-visitor" | "sluice-mail" | "sluice-known";

export function readSessionCookie(headers: Headers, rules: OriginRules): string | null {
  return readCookie(headers, rules, "sluice-session");
}

/** Null without one, and also with two of them: one was put there by someone else. */
export function readCookie(
  headers: Headers,
  rules: OriginRules,
  bareName: CookieName,
): string | null {
  const prefix = prefixes[transportOf(headers, rules)];
  const name = prefix === null ? null : `${prefix}${bareName}`;
  const header = headers.get("cookie");
  if (name === null || header === null) return null;
  const values = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? (values[0] ?? null) : null;
}

interface CookieText {
  secret: string;
  maxAgeMs: number;
}

export function writeSessionCookie(
  headers: Headers,
  rules: OriginRules,
  text: CookieText,
): string | null {
  return writeCookie(headers, rules, "sluice-session", text);
}

/** The Set-Cookie; an empty text takes the cookie away. Null: none can be set here. */
export function writeCookie(
  headers: Headers,
  rules: OriginRules,
  bareName: CookieName,
  { secret, maxAgeMs }: CookieText,
): string | null {
  const transport = transportOf(headers, rules);
  const prefix = prefixes[transport];
  if (prefix === null) return null;
  const seconds = secret === "" ? 0 : Math.floor(maxAgeMs / 1000);
  const flags = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`;
  return `${prefix}${bareName}=${secret}; ${flags}${transport === "secure" ? "; Secure" : ""}`;
}
