// Sends a notice that is only a test, once and at once.
import { invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { describe } from "../../core/log.ts";
import { compile, parseWith } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import type { NoticeTestView } from "../contract.ts";
import { NoticeTestInput } from "./contract.ts";
import type { NoticeNeeds } from "./needs.ts";

const checker = compile(NoticeTestInput);
const notConfigured = "is none of notices.destinations in the configuration file";

export async function testDestination(
  { sender, noting: { ids, clock } }: NoticeNeeds,
  _operator: Operator,
  body: JsonObject,
): Promise<NoticeTestView> {
  const { destination } = parseWith(checker, body);
  if (!sender.hasWay(destination)) throw invalid("destination", notConfigured);
  const text = "This is a test: notices arrive here.";
  const notice = { id: ids.of("ntc_"), kind: "test", text, details: {} } as const;
  try {
    await sender.test(destination, { ...notice, atMs: clock.nowMs() });
    return { destination, delivered: true, error: null };
  } catch (error) {
    return { destination, delivered: false, error: describe(error) };
  }
}
