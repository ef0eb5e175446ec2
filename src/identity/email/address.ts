// E-mail addresses: which texts are one, and which of them lead to the same box.
import { digest } from "../secrets.ts";

const charactersMax = 254;
const localMax = 64;
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?`;
const shape = new RegExp(String.raw`^([^\s@<>,;:"()[\]\\\p{C}]+)@((?:${label}\.)+${label})$`, "u");
/** Providers that give mail to a name with dots and without to one box. */
const dotless = ["gmail.com", "googlemail.com"];

/** Null for a text that is no address of the common form. */
function partsOf(text: string): { local: string; domain: string } | null {
  const [, local = "", domain = ""] = shape.exec(text) ?? [];
  if (local === "" || local.length > localMax || text.length > charactersMax) return null;
  return { local, domain: domain.toLowerCase() };
}

export function isEmailAddress(text: string): boolean {
  return partsOf(text) !== null;
}

/**
 * The form by which two spellings of one box are found to be the same: small letters, without a
 * `+tag`, and without dots where the provider heeds none. Null for what is no address.
 */
export function comparableAddress(text: string): string | null {
  const parts = partsOf(text.trim());
  if (parts === null) return null;
  const { local, domain } = parts;
  const plain = local.toLowerCase().replace(/(?<=.)\+.*$/, "");
  if (!dotless.includes(domain)) return `${plain}@${domain}`;
  return `${plain.replaceAll(".", "")}@gmail.com`;
}

/** Stands for the box where letters are counted; the same text for whatever is no address. */
export function boxDigest(text: string): string {
  return digest(`box of ${comparableAddress(text) ?? ""}`);
}

/** True where no domain is listed, or this one is. */
export function isOfDomains(text: string, domains: readonly string[]): boolean {
  const { domain } = partsOf(text) ?? { domain: "" };
  return domains.length === 0 || domains.some((one) => one.toLowerCase() === domain);
}
