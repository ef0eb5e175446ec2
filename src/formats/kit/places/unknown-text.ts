// Meaning of a text that stands in no known place: an address, data, or a vendor's own name of
// something it keeps. Readers differ in what they forgive, so the most lenient one counts.
import { words } from "./place.ts";
import { toCamel } from "./spelling.ts";

/** Length that a scheme and the beginning of a host fit into. */
const openingCharacters = 128;

/** The beginning of a text without what lenient readers skip, and with percent signs resolved. */
function openingOf(text: string): string {
  let head = text.trimStart().slice(0, openingCharacters);
  // oxlint-disable-next-line no-control-regex -- readers of addresses skip controls
  head = head.replace(/[\x00-\x1f\x7f\u200b-\u200f\u2060\ufeff]/g, "").trimStart();
  for (let round = 0; round < 2 && head.includes("%"); round++) {
    head = head.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return head.trimStart();
}

const hosted = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]{2}[^\s\\/]/i;
const schemed = /^(?:https?|ftp|file|blob|gs|s3|oss):/i;
const bareHost = /^(?:www\.|(?:[\w-]+\.)*youtu(?:be\.com|\.be)\/)/i;
const dataUrl = /^data:/i;
/** Longer than ids and sums are, and without the blanks of words. */
const encoded = /^[\w+/-]{64,}={0,2}(?:\s|$)/;
const hexadecimal = /^[0-9a-f-]+$/i;
const vendorNames = [
  /^(?:cachedContents|fileSearchStores|files|corpora)\/[\w.-]+$/i,
  /^projects\/[^\s/]+\/locations\/\S+$/i,
  /^gs:/i,
  /^https?:[\\/]*generativelanguage\./i,
];

const wordCharactersMax = 63;
const signs = /[:/\\%.]/;

/** The quick look that most texts get: too short for data, and with no sign of an address. */
export function isWord(text: string): boolean {
  return text.length <= wordCharactersMax && !signs.test(text);
}

export function isAddress(text: string): boolean {
  const opening = openingOf(text);
  return hosted.test(opening) || schemed.test(opening) || bareHost.test(opening);
}

export function isDataUrl(text: string): boolean {
  return dataUrl.test(openingOf(text));
}

export function isEncoded(text: string): boolean {
  return encoded.test(text) && !hexadecimal.test(text);
}

/** Google's names of what it keeps, and of what only its customer may open. */
export function isVendorName(text: string): boolean {
  const opening = openingOf(text);
  return vendorNames.some((name) => name.test(opening));
}

/** Tells what a text may bring that is more than its bytes. */
interface TextRule {
  name: string;
  matches(text: string): boolean;
}

/** In every place that is not known, what one of these matches costs a window. */
export const dearTexts: TextRule[] = [
  { name: "address", matches: isAddress },
  { name: "data URL", matches: isDataUrl },
  { name: "encoded data", matches: isEncoded },
];

/** Fields in which vendors take the id of what they keep, wherever they stand. */
export const idFields = new Set(
  words(`file_id file_ids container container_id vector_store_id vector_store_ids skill_id prompt_id
    conversation_id thread_id assistant_id tunnel_id cached_content file_search_store_names
    rag_corpora rag_corpus rag_file_ids user_profile_id
    api_key_secret_version api_key_secret credential_secret service_account`).flatMap((name) => [
    name,
    toCamel(name),
  ]),
);

/** Fields in which vendors take a file, wherever they stand. */
export const dataFields = new Set(
  words("data file_data fileData inline_data inlineData b64_json bytes"),
);

/** Types of parts whose field of the same name is the file, wherever such a part stands. */
export const fileTypes = new Set(words("file input_audio"));
