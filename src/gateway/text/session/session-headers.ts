// Headers by which agents tell a vendor that requests belong together, and that vendors route by.
// They go on where nothing is converted, and never as they came: a name of our own for the account
// and the session, so that a vendor learns no more than that it is the same one again, and that no
// account can name a session of another.
import { digestOf } from "../../../core/digest.ts";
import type { AccountId } from "../../../core/ids.ts";
import type { Format } from "../../../formats/format.ts";

const charactersMax = 256;

/** Undefined where the client sent none. */
export function sessionHeaders(
  { sessionHeaders: names }: Pick<Format, "sessionHeaders">,
  headers: Headers,
  accountId: AccountId,
): Readonly<Record<string, string>> | undefined {
  if (!names) return undefined;
  let kept: Record<string, string> | null = null;
  for (const name of names) {
    const value = headers.get(name);
    if (value === null || value === "" || value.length > charactersMax) continue;
    (kept ??= {})[name] = standIn(accountId, value);
  }
  return kept ?? undefined;
}

/** In the form of a UUID, as agents send them. */
function standIn(accountId: AccountId, session: string): string {
  const hex = Buffer.from(digestOf(`session\n${accountId}\n${session}`), "base64url").toString(
    "hex",
  );
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
