// The caller, and the words of its query: Google refuses the ones that it does not know.
import type { VendorRequest } from "../vendor.ts";
import { invalid, invalidField, invalidKey, Refusal } from "./errors.ts";

const revokedKey = "sk-sandbox-revoked";
const queryNames = ["key", "alt", "$alt", "fields", "prettyPrint", "quotaUser"];
const listNames = ["pageSize", "pageToken"];

export function authenticate({ headers, query, note }: VendorRequest): string {
  const inHeader = headers.get("x-goog-api-key");
  const inQuery = query.get("key");
  if (inHeader !== null && inQuery !== null) {
    throw invalid("Multiple authentication credentials received. Please pass only one.");
  }
  const key = inHeader ?? inQuery;
  if (key === null && headers.has("authorization")) throw new Refusal(401);
  if (!key) {
    throw new Refusal(403, "Method doesn't allow unregistered callers. Please use API Key.");
  }
  note({ bearer: key });
  if (key === revokedKey) throw invalidKey();
  return key;
}

export function checkQuery(query: URLSearchParams, isList: boolean): void {
  const known = isList ? [...queryNames, ...listNames] : queryNames;
  for (const name of query.keys()) {
    if (known.includes(name)) continue;
    const why = "Cannot bind query parameter. Field could not be found in request message.";
    throw invalidField("", `Invalid JSON payload received. Unknown name "${name}": ${why}`);
  }
}
