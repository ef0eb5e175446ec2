// Mends of a body that a vendor refuses, by the wire it is written on: a channel of any type may
// speak any of them.
import type { JsonObject } from "../../core/json.ts";
import type { FormatName } from "../../formats/format.ts";
import type { RequestFault } from "../upstream.ts";
import { mendChat } from "./mend-chat.ts";
import { mendContent } from "./mend-content.ts";
import { mendIds } from "./mend-ids.ts";
import { mendMessages } from "./mend-messages.ts";
import { mendResponses } from "./mend-responses.ts";

/** Mends by what each vendor wants back of its thoughts. */
const thoughtless: Partial<
  Record<FormatName, (body: JsonObject, fault: RequestFault) => JsonObject | null>
> = {
  chat: mendChat,
  messages: mendMessages,
  responses: mendResponses,
  content: mendContent,
};

export function mendText(
  body: JsonObject,
  fault: RequestFault,
  format: FormatName,
): JsonObject | null {
  return thoughtless[format]?.(body, fault) ?? mendIds(body, fault);
}
