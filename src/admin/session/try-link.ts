// A link that somebody comes with is a guess like any other: wrong ones are slowed and on record.
import { GatewayError } from "../../core/errors.ts";
import type { InputOf } from "../call.ts";
import type { AskedFactor } from "../second-factor/ask.ts";
import type { EnterCalls } from "./contract.ts";
import { RefusedLink, signInByLink } from "./link.ts";
import type { SignInNeeds } from "./needs.ts";
import { noteRefusal } from "./note.ts";
import type { SignedIn } from "./open.ts";
import type { Visitor } from "./visitor.ts";

/** All links of an address count together: a link names nobody. */
const guessed = "a sign-in link";

export async function tryLink(
  needs: SignInNeeds,
  visitor: Visitor,
  input: InputOf<EnterCalls["signInByLink"]>,
): Promise<SignedIn | AskedFactor> {
  return await asGuess(needs, visitor, () => signInByLink(needs, visitor, input));
}

/** For whatever is opened by the text of a link. */
export async function asGuess<Result>(
  needs: SignInNeeds,
  { ip }: Visitor,
  open: () => Promise<Result>,
): Promise<Result> {
  const guess = needs.guesses.begin(guessed, ip);
  try {
    const opened = await open();
    guess.right();
    return opened;
  } catch (error) {
    if (error instanceof GatewayError && error.code === "invalid_state") {
      const account = error instanceof RefusedLink ? error.account : null;
      needs.log.info("sign-in refused", { account: account?.id ?? null, ip });
      await noteRefusal(needs, account, { ip, way: "link" });
    } else guess.undo();
    throw error;
  }
}
