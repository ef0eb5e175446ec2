// Encodings in which a long answer may go to a client.

export type Encoding = "br" | "gzip";

/** The first of what the client takes; a weight of zero means that it does not. */
export function encodingOf(accepted: string | null): Encoding | null {
  const words = (accepted ?? "").split(",").map((word) => word.trim());
  const takes = (name: Encoding) =>
    words.some((word) => new RegExp(`^${name}(?:\\s*;\\s*q=(?!0(?:\\.0*)?$).*)?$`, "i").test(word));
  if (takes("br")) return "br";
  return takes("gzip") ? "gzip" : null;
}
