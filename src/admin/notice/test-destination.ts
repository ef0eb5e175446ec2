// Sends a notice that is only a test, once and at once.
import { invalid } from "../../core/errors.ts";
import { describe } from "../../core/log.ts";
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import type { NoticeCalls, NoticeTestView } from "./contract.ts";
import type { NoticeNeeds } from "./needs.ts";

const wayOut =
  "add it to notices.destinations, in the configuration file or on the console's settings page.";

export async function testDestination(
  { sender, noting: { ids, clock } }: NoticeNeeds,
  _operator: Operator,
  { body: { destination } }: InputOf<NoticeCalls["test"]>,
): Promise<NoticeTestView> {
  if (!sender.hasWay(destination)) {
    throw invalid("destination", `${JSON.stringify(destination)} is not known: ${wayOut}`);
  }
  const text = "This is a test: notices arrive here.";
  const notice = { id: ids.of("ntc_"), kind: "test", text, details: {} } as const;
  try {
    await sender.test(destination, { ...notice, atMs: clock.nowMs() });
    return { destination, delivered: true, error: null };
  } catch (error) {
    return { destination, delivered: false, error: describe(error) };
  }
}
