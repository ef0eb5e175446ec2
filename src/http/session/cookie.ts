// The cookie of a session. Over https its name has the prefix that keeps other hosts and plain http
// from setting it; over plain http browsers refuse that prefix, so there the name goes without.
import { transportOf, type OriginRules, type Transport } from "./origin.ts";

const names: Readonly<Record<Transport, string | null>> = {
  secure: "__Host-sluice-session",
  plain: "sluice-session",
  unknown: null,
};

/** Null without one, and also with two of them: one was put there by someone else. */
export function readSessionCookie(headers: Headers, rules: OriginRules): string | null {
  const name = names[transportOf(headers, rules)];
  const header = headers.get("cookie");
  if (name === null || header === null) return null;
  const values = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** The Set-Cookie of a session; an empty text takes the cookie away. Null: none can be set here. */
export function writeSessionCookie(
  headers: Headers,
  rules: OriginRules,
  { secret, maxAgeMs }: { secret: string; maxAgeMs: number },
): string | null {
  const transport = transportOf(headers, rules);
  const name = names[transport];
  if (name === null) return null;
  const seconds = secret === "" ? 0 : Math.floor(maxAgeMs / 1000);
  const flags = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`;
  return `${name}=${secret}; ${flags}${transport === "secure" ? "; Secure" : ""}`;
}
