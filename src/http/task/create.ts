// What the creates of all tasks have in common: a key under which the same create makes nothing
// new, and who is told of the end.
import { digestOf } from "../../core/digest.ts";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import type { Creates, Made } from "../../gateway/task/idempotency.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Create, Task } from "../../tasks/task.ts";

export interface CreateParts {
  creates: Creates;
  /** The URL as it would be called, or null when that is out of the question. */
  acceptsUrl(url: string): string | null;
}

export interface AskedOnce {
  headers: Headers;
  accountId: AccountId;
  /** As it came. */
  value: JsonObject;
}

/** A create without a key of its own is a new one each time. */
export async function makeOnce(
  { creates }: CreateParts,
  { headers, accountId, value }: AskedOnce,
  make: (create: Create | null) => Promise<Task>,
): Promise<Made> {
  const key = headers.get("idempotency-key");
  if (key === null) return { task: await make(null), isRepeated: false };
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    const message = "Idempotency-Key must be a text of at most 255 ASCII characters.";
    throw new GatewayError("invalid_request", { param: "Idempotency-Key", message });
  }
  const digest = digestOf(JSON.stringify(value));
  return await creates.once(accountId, { key, digest }, make);
}

export function answerMade({ isRepeated }: Made, body: JsonObject): Answer {
  const answer = jsonAnswer(body);
  return isRepeated ? { ...answer, headers: { "idempotent-replayed": "true" } } : answer;
}

/** As it is called here, and by two vendors. */
export const webhookFields: readonly string[] = ["webhook_url", "callback_url", "notify_hook"];
const urlLengthMax = 2048;

export function readWebhookUrl(
  body: JsonObject,
  { acceptsUrl }: CreateParts,
  fields: readonly string[] = webhookFields,
): string | null {
  for (const param of fields) {
    const given = body[param];
    if (given === undefined || given === null || given === "") continue;
    const isText = typeof given === "string" && given.length <= urlLengthMax;
    const url = isText ? acceptsUrl(given) : null;
    if (url !== null) return url;
    const message = `${param} must be a public http or https URL.`;
    throw new GatewayError("invalid_request", { param, message });
  }
  return null;
}
