// A virtual model's members held for, and each made a leg that can be tried.
import type { Ledger } from "../../../quota/ledger.ts";
import type { SecondLook } from "../admit/second-look.ts";
import { chainHoldOf, holdMembers, toChainJob, type Grounds } from "../open-text.ts";
import type { OpenTextNeeds } from "../price-text.ts";
import type { TextJob } from "../text-job.ts";
import type { Chain } from "./chain.ts";
import { admitChain, type MemberHold } from "./hold-chain.ts";

interface OpenChainNeeds {
  ledger: Ledger;
  secondLook: SecondLook;
  opening: OpenTextNeeds;
}

/** The last member that the wallet might cover gets a second look, as a model by itself does. */
export async function openChain(
  { ledger, secondLook, opening }: OpenChainNeeds,
  grounds: Grounds,
  chain: Chain,
): Promise<TextJob> {
  const admitLast = async (last: MemberHold) => {
    const priced = last.member.priced ?? grounds.priced;
    const { hold, reservation } = await secondLook.admit({ ...grounds, priced }, last.bound);
    const { ask, bound, shrink } = hold;
    const member = { ...last, bound, micros: ask.micros, shrink };
    return { hold: { ask, members: [member] }, reservation };
  };
  const holdOf = (members: readonly MemberHold[]) => holdMembers(grounds, members);
  const wanted = chainHoldOf(opening, grounds, chain);
  const { hold, reservation } = await admitChain(ledger, wanted, { holdOf, admitLast });
  return toChainJob(opening, grounds, { chain, hold, reservation });
}
