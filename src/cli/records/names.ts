// Filters of records: moments as people say them, and keys by their names.
import { keyCalls } from "../../admin/key/contract.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ControlClient } from "../control-client.ts";
import type { OptionTable } from "../options.ts";
import { pastOption } from "./moment-words.ts";

export const recordOptions: OptionTable = {
  from: {
    value: "moment",
    text: "today, yesterday, 30m, 12h, 7d, a day or unix seconds",
    read: pastOption,
  },
  to: { value: "moment", text: "the first moment after", read: pastOption },
};

/** A key that nobody has is an error here, where it may be a slip of the hand. */
export async function recordQuery(client: ControlClient, query: JsonObject): Promise<JsonObject> {
  const { key } = query;
  if (typeof key !== "string" || key.startsWith("key_")) return query;
  const { id } = await client.find({ list: keyCalls.list, nameField: "name" }, key);
  return { ...query, key: id };
}
