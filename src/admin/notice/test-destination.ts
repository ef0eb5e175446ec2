// Sends a notice that is only a test, once and at once.
import { invalid } from "../../core/errors.ts";
import { describe } from "../../core/log.ts";
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import type { NoticeCalls, NoticeTestView } from "./contract.ts";
import type { NoticeNeeds } from "./needs.ts";

const notConfigured = "is none of notices.destinations in the configuration file";

export async function testDestination(
  { sender, noting: { ids, clock } }: NoticeNeeds,
  _operator: Operator,
  { body: { destination } }: InputOf<NoticeCalls["test"]>,
): Promise<NoticeTestView> {
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
