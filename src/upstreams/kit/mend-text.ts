// What may be put right in a body that a vendor refuses, by the wire it is written on: a channel of
// any type may speak any of them.
import type { JsonObject } from "../../core/json.ts";
import type { FormatName } from "../../formats/format.ts";
import type { RequestFault } from "../upstream.ts";
import { mendContent } from "./mend-content.ts";
import { mendIds } from "./mend-ids.ts";
import { mendMessages } from "./mend-messages.ts";

export function mendText(
  body: JsonObject,
  fault: RequestFault,
  format: FormatName,
): JsonObject | null {
  if (format === "content") return mendContent(body, fault);
  const thoughtless = format === "messages" ? mendMessages(body, fault) : null;
  return thoughtless ?? mendIds(body, fault);
}
