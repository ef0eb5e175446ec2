// Azure's errors: OpenAI's envelope, in which a code is often but the status as a text, and what
// stands before it: API Management, which has no envelope at all, and the content filter.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { holderIn } from "../error-body.ts";
import { loadFault } from "../kit/load.ts";
import { readOpenaiFault } from "../openai-wire-faults.ts";
import type { Fault } from "../upstream.ts";

/** The deployment is not there, or is of a model that does something else. */
const deploymentCodes = new Set([
  "DeploymentNotFound",
  "OperationNotSupported",
  "ResourceNotFound",
  "unavailable_model",
  "unknown_model",
]);
const filterCodes = new Set(["content_filter", "contentFilter", "ResponsibleAIPolicyViolation"]);

export function readAzureFault(status: number, headers: Headers, body: Json): Fault {
  const error = errorOf(body);
  const message = textOf(error["message"]) ?? `the upstream answered with status ${status}`;
  const codes = codesOf(error);
  // Its code says no more: quota here is a rate, and no account is spent.
  if (status === 429) return loadFault({ status, headers, message, names: codes });
  if (codes.some((code) => deploymentCodes.has(code))) return { blame: "channel", message };
  if (status === 400 && codes.some((code) => filterCodes.has(code))) {
    return filterFault(message, textOf(error["param"]));
  }
  return readOpenaiFault(status, headers, { error: withoutStatus(error) });
}

export function filterFault(message: string, param: string | null): Fault {
  const type = "invalid_request_error";
  return { blame: "request", status: 400, type, code: "content_filter", param, message };
}

/** API Management has its words at the top. */
function errorOf(body: Json): JsonObject {
  const holder = holderIn(body) ?? {};
  return isObject(holder["error"]) ? holder["error"] : holder;
}

function codesOf({ code, innererror }: JsonObject): string[] {
  const inner = isObject(innererror) ? innererror["code"] : null;
  return [code, inner].filter((one) => typeof one === "string");
}

/** A status that is written as a code says no more than the status. */
function withoutStatus({ code, ...error }: JsonObject): JsonObject {
  const isStatus = typeof code === "number" || (typeof code === "string" && /^\d+$/.test(code));
  return isStatus ? error : { ...error, ...(code !== undefined && { code }) };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
