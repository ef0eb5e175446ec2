// Text of a key amid what was typed or pasted. It stays in the page: no address and no question to
// the gateway has more of it than its digest.

/** False for a key's text where the browser makes no digests: not on https, nor this machine. */
export function maySearch(text: string): boolean {
  return isSecureContext || keyIn(text) === null;
}

/** Found also with what was copied along: a header, an assignment, quotes. */
export function keyIn(text: string): string | null {
  return /(?<![\w-])sk-[^\s"'`,;]*/.exec(text)?.[0] ?? null;
}

/** SHA-256 in hex, which `GET /api/token` takes. */
export async function digestOf(key: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
