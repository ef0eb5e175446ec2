// A whole answer, settled before any of it is shown.
import type { Clock } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";
import { encodeJson, isObject, parseJson } from "../../core/json.ts";
import type { Usage } from "../../formats/usage.ts";
import type { Answer } from "../answer.ts";
import type { ServedAttempt } from "../served-attempt.ts";
import type { Disconnect } from "../stream/read-on.ts";
import type { ServedText, ServedTextWhole } from "./judge-text.ts";
import { keepReply } from "./memory/recall-text.ts";
import type { ResponseMemory } from "./memory/response-memory.ts";
import { withModel } from "./names/rename-model.ts";
import { passedName, type ReplyModel } from "./names/shown-model.ts";
import { withCost } from "./pump/cost-pump.ts";
import { noBill, type Bill } from "../bill.ts";
import { settleText, type SettleTextNeeds } from "./settle-text.ts";
import type { TextJob } from "./text-job.ts";

interface WholeNeeds {
  clock: Clock;
  memory: ResponseMemory;
  rules: { readonly replyModel: ReplyModel };
  settling: SettleTextNeeds;
}

/** The outcome of a request, and whether its client is still there. */
export interface Came<Served> {
  attempted: ServedAttempt<ServedText>;
  served: Served;
  disconnect: Disconnect;
}

/** The bytes for the client, which show the usage that was charged, and what they cost. */
export interface SettledWhole {
  bytes: Uint8Array;
  bill: Bill;
  /** The vendor told no usage, so the one that is charged was counted here. */
  isEstimated: boolean;
}

export async function settleWhole(
  needs: WholeNeeds,
  job: TextJob,
  { attempted, served, disconnect }: Came<ServedTextWhole>,
  toAnswer: (settled: SettledWhole) => Answer,
): Promise<Answer> {
  attempted.release();
  const { input } = job;
  const { observed } = served;
  const firstByteMs = needs.clock.monotonicMs() - input.call.scope.startedAtMs;
  let answer: Answer | null = null;
  let kept: Promise<void> | null = null;
  await settleText(needs.settling, job, {
    served,
    observed,
    kind: disconnect.isLeft ? "client_abort" : "ok",
    isWhole: true,
    error: disconnect.isLeft ? new GatewayError("client_closed_request") : null,
    firstByteMs,
    show(usage, bill, isEstimated) {
      const shown = withCharged(served, usage);
      const name = passedName(needs.rules.replyModel, job, served);
      const named = name === null ? shown.bytes : withModel(shown.bytes, name, "whole");
      const bytes = isCostWanted(job) ? costed(named, bill) : named;
      kept = shown.unstored && keepReply(needs.memory, input, shown.unstored, named);
      input.call.content?.push(bytes);
      answer = toAnswer({ bytes, bill, isEstimated });
      if (usage) input.keeper?.keep(answer, bytes);
    },
  });
  await kept;
  return answer ?? toAnswer({ bytes: served.bytes, bill: noBill, isEstimated: false });
}

export function isCostWanted({ input, request }: TextJob): boolean {
  return request.wantsCost === true || input.headers.get("x-sluice-cost") !== null;
}

function costed(bytes: Uint8Array, bill: Bill): Uint8Array {
  const reply = parseJson(bytes);
  return isObject(reply) ? encodeJson(withCost(reply, bill)) : bytes;
}

/** Written anew only where the vendor told something else. */
function withCharged(
  { bytes, unstored, restate, observed }: ServedTextWhole,
  usage: Usage | null,
): Pick<ServedTextWhole, "bytes" | "unstored"> {
  if (!usage || !restate || usage === observed.usage) return { bytes, unstored };
  const shown = restate(usage);
  return { bytes: encodeJson(shown), unstored: unstored && shown };
}
