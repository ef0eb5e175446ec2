// Texts that stand for something else: addresses that a vendor fetches, data, ids of what a vendor
// keeps.
import { costOfBytes, type FileCost } from "./file-kinds.ts";

export type Reference =
  | FileCost
  /** Something that the vendor keeps for one of its accounts. */
  | { kind: "kept" }
  /** Fetched by the vendor. */
  | { kind: "address" }
  /** Only what it says. */
  | { kind: "text" };

/** Text as parsers of addresses see it: without blanks around it and line ends in it. */
function tidied(text: string): string {
  return text.trim().replace(/[\t\r\n]/g, "");
}

export function referenceIn(text: string, isPicturePlace: boolean): Reference {
  const spelled = tidied(text);
  if (/^data:/i.test(spelled)) return costOfBytes(bytesOfDataUrl(spelled), isPicturePlace);
  if (isKept(spelled)) return { kind: "kept" };
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(spelled)) return { kind: "address" };
  return { kind: "text" };
}

/** Data in a place that takes it without an address around it. */
export function dataIn(text: string, isPicturePlace: boolean): Reference {
  const reference = referenceIn(text, isPicturePlace);
  if (reference.kind !== "text") return reference;
  return costOfBytes(Buffer.from(tidied(text), "base64"), isPicturePlace);
}

/** Files and caches of Google's, by name and by address; buckets open to the operator's account. */
function isKept(text: string): boolean {
  return (
    /^(?:files|cachedContents|fileSearchStores|projects)\//i.test(text) ||
    /^gs:/i.test(text) ||
    /^https?:\/\/generativelanguage\./i.test(text)
  );
}

function bytesOfDataUrl(url: string): Buffer {
  const comma = url.indexOf(",");
  const head = url.slice(0, comma);
  const unescaped = unescapeBytes(url.slice(comma + 1));
  // A second mark may stand where one reader looks for it and another does not.
  const inner = unescaped.toString("latin1");
  if (/^\s*data:/i.test(inner)) return bytesOfDataUrl(inner.trim());
  if (/;\s*base64\s*$/i.test(head)) return Buffer.from(inner, "base64");
  const late = /;base64,/.exec(inner);
  return late ? Buffer.from(inner.slice(late.index + 8), "base64") : unescaped;
}

function unescapeBytes(text: string): Buffer {
  const latin = text.replace(/%([0-9a-f]{2})/gi, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return Buffer.from(latin, "latin1");
}
