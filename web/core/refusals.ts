// Meaning of a refusal to the person who meets it, by its code. The gateway's own message is for
// programs; it is shown where a code has no words here, or where it says more than they do.
import { signal } from "@preact/signals";
import type { ApiError } from "./api.ts";
import { words } from "./words.ts";

/** Reasons why there is no answer, from which nothing could be fetched. */
export const t = words("frame", "refusals", {
  offline: "The gateway is not responding. Check your connection; we retry automatically.",
  bad_answer: "The gateway's response could not be read. A proxy in between may be the cause.",
});

interface Causes {
  readonly [code: string]: string | Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

const causes = signal<(() => Causes) | null>(null);

export function knowCauses(read: () => Causes): void {
  causes.value = read;
}

export const knowsCauses = () => causes.peek() !== null;

/** The gateway's words for a code that has many causes, where it tells none of them. */
const unspecific: Readonly<Record<string, string>> = {
  permission_denied: "This account may not do that.",
};

/** Rules that are written here too, by the ends of the gateway's messages that state them. */
const rules: Readonly<Record<string, string>> = {
  "# @": "name",
  "! ?": "label",
  "- @": "username",
};

/** The gateway's words also stand in while those of the console are on their way. */
export function refusalText({ code, message }: ApiError): string {
  const known = causes.value?.();
  const near: Readonly<Record<string, string>> = t();
  const spelling = known?.values[rules[message.slice(-3)] ?? ""];
  if (code === "invalid_request" && spelling !== undefined) return spelling;
  const plain = code === null ? undefined : unspecific[code];
  if (plain !== undefined && message !== "" && message !== plain) return message;
  const text = code === null ? undefined : (near[code] ?? known?.[code]);
  return typeof text === "string" ? text : message || (code ?? "");
}

/** Code and request id lead to a failure; what is wrong with a field is said beside it. */
export function hasTrail({ param }: ApiError): boolean {
  return param === null;
}
