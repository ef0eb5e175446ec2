// Checks a piece of a request and refuses it in OpenAI's words.
import { isObject, JsonError, parseJson, type Json } from "../../src/core/json.ts";
import type { Checker } from "../../src/core/schema.ts";
import { Refusal } from "./errors.ts";

export function readJson(body: Uint8Array): Json {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Refusal(400, { message: `We could not parse the JSON body: ${error.message}.` });
  }
}

/** `at` is where the piece stands, such as "tools[0]"; empty for the whole body. */
export function check<Value>(checker: Checker<Value>, json: unknown, at = ""): Value {
  if (checker.is(json)) return json;
  const [fault] = checker.faults(json);
  const param = join(at, fault?.path ?? "");
  if (param === "") throw new Refusal(400, { message: "The body must be a JSON object." });
  if (fault?.message === "is required") throw missing(param);
  if (fault?.message === "is not known") {
    const details = { param, code: "unknown_parameter" };
    throw new Refusal(400, { ...details, message: `Unknown parameter: '${param}'.` });
  }
  throw invalid(param, `Invalid value for '${param}': ${fault?.message}.`);
}

/** Checks something that comes in several kinds, each of which its `type` names. */
export function checkKind<Value>(
  kinds: Readonly<Record<string, Checker<Value>>>,
  json: unknown,
  at: string,
): Value {
  if (!isObject(json)) throw invalid(at, `Invalid type for '${at}': expected an object.`);
  const { type } = json;
  if (type === undefined) throw missing(`${at}.type`);
  const checker = typeof type === "string" && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (checker) return check(checker, json, at);
  const names = Object.keys(kinds).map((name) => `'${name}'`);
  throw invalid(at, `Invalid value: '${String(type)}'. Supported values are: ${names.join(", ")}.`);
}

export function missing(param: string): Refusal {
  const details = { param, code: "missing_required_parameter" };
  return new Refusal(400, { ...details, message: `Missing required parameter: '${param}'.` });
}

export function invalid(param: string, message: string): Refusal {
  return new Refusal(400, { message, param, code: "invalid_value" });
}

/** The vendor writes positions in brackets. */
function join(at: string, path: string): string {
  const dotted = at === "" || path === "" ? at + path : `${at}.${path}`;
  return dotted.replace(/\.(\d+)(?=\.|\[|$)/g, "[$1]");
}
