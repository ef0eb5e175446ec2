// Thinking: what it says, and the signature that it gets.
import { seedOf } from "../writer/seed.ts";
import { writeProse } from "../writer/text.ts";

const wordsByEffort: Readonly<Record<string, number>> = {
  low: 8,
  medium: 20,
  high: 40,
  xhigh: 60,
  max: 90,
};

export function writeThought(prompt: string, effort: string): string {
  const words = wordsByEffort[effort] ?? 0;
  return `Let me think. ${writeProse(prompt, seedOf(`${effort} ${prompt}`), words)}`;
}

/** With this text in a prompt the vendor encrypts its thinking, for clients to test with. */
const redactionTrigger = "ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING";

export function isRedacted(prompt: string): boolean {
  return prompt.includes(redactionTrigger);
}

const signingKey = "sandbox-anthropic";

/** The same text always gets the same signature, and no other text gets it. */
export function sign(thought: string): string {
  const hash = new Bun.CryptoHasher("sha256", signingKey).update(thought);
  return Buffer.from(`sandbox:${hash.digest("base64")}`).toString("base64");
}

export function isSigned(thought: string, signature: string): boolean {
  return signature === sign(thought);
}

/** Carries its own signature, as there is no text beside it. */
export function redact(thought: string): string {
  const text = Buffer.from(thought).toString("base64");
  return `${text}.${sign(text)}`;
}

export function isRedaction(data: string): boolean {
  const [text = "", signature = ""] = data.split(".");
  return isSigned(text, signature);
}
