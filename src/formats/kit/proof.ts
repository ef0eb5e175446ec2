// Vendors sign their reasoning and want the signature back. A signature that travels through a
// client of another format is sealed: its text then says whose it is and what it belongs to.
import type { UpstreamDialect, Proof } from "../exchange.ts";

const sealed = /^sluice1:(chat|responses|messages|content|converse):(call|text)?:([^:]*):(.*)$/s;

export function sealProof({ dialect, on, id, data }: Proof): string {
  return `sluice1:${dialect}:${on ?? ""}:${encodeURIComponent(id ?? "")}:${data}`;
}

/** A text without our seal was made by an upstream of the client's own format. */
export function openProof(text: string, own: UpstreamDialect): Proof {
  const [, dialect, on, escapedId = "", data = ""] = sealed.exec(text) ?? [];
  const id = unescapeId(escapedId);
  // A seal that we cannot have made is the client's own text.
  if (dialect === undefined || id === null) return { dialect: own, data: text };
  const proof: Proof = { dialect: toDialect(dialect), data };
  if (on === "call" || on === "text") proof.on = on;
  if (id !== "") proof.id = id;
  return proof;
}

/** Whether a signature is one that an upstream of the client's own format did not make. */
export function isSealed(text: string): boolean {
  return sealed.test(text);
}

const others = ["chat", "responses", "content", "converse"] as const;

function toDialect(text: string): UpstreamDialect {
  return others.find((dialect) => dialect === text) ?? "messages";
}

function unescapeId(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
