// A text's fingerprint, for where the text itself must not be kept.

export function digestOf(text: string | Uint8Array): string {
  return Bun.SHA256.hash(text, "base64url");
}
