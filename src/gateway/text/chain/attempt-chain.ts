// The attempts of a virtual model: each member is put as a request for it alone.
import type { Choice } from "../../../distribution/choose.ts";
import { attemptChannels, type Attempt, type AttemptNeeds } from "../../attempt.ts";
import type { ServedAttempt } from "../../served-attempt.ts";
import type { ServedText } from "../judge-text.ts";
import type { TextJob } from "../text-job.ts";
import type { Chain } from "./chain.ts";
import type { TextLeg } from "./text-leg.ts";

type TryOn = (choice: Choice) => Promise<Attempt<ServedText>>;

/** `open` makes of a leg what can be tried on its channels. */
export async function attemptChain(
  needs: AttemptNeeds,
  { job, chain }: { job: TextJob; chain: Chain },
  open: (job: TextJob) => TryOn,
): Promise<ServedAttempt<ServedText>> {
  let leg: TextLeg = job;
  let tryOn: TryOn | null = null;
  const { candidates, input } = job;
  const attempted = await attemptChannels(needs, candidates, input.call, (choice, at) => {
    const current = chain.at(at);
    if (current !== leg || !tryOn) tryOn = open({ ...job, ...current });
    leg = current;
    return tryOn(choice);
  });
  chain.serve(leg);
  return attempted;
}
