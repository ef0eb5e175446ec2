// Gives a key another text. The one before works on for as long as is said, so that programs can be
// changed one after the other.
import { GatewayError } from "../../core/errors.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import { updateKey } from "../../identity/queries.ts";
import { createApiKey } from "../../identity/secrets.ts";
import { noting } from "../audit/entry.ts";
import type { CreatedKey } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import type { OnOne } from "../input.ts";
import { findChangeable } from "./find.ts";
import type { KeyNeeds } from "./needs.ts";
import { toText } from "./row.ts";
import { viewRow } from "./view.ts";

const overlapSecondsMax = 30 * 86_400;

export const rotateChecker = compile(
  Type.Object(
    {
      overlap_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: overlapSecondsMax,
          description: "How long the text before works on. Default: not at all.",
        }),
      ),
    },
    { additionalProperties: false },
  ),
);

/** A second rotation ends the text that was still working on from the first. */
export async function rotateKey(
  needs: KeyNeeds,
  operator: Operator,
  { id, body }: OnOne,
): Promise<CreatedKey> {
  const { overlap_seconds: overlapSeconds = 0 } = parseWith(rotateChecker, body);
  const { authenticator, clock } = needs;
  return await inTurn(needs, "identity", async () => {
    const before = await findChangeable(needs, operator, id);
    if (before.declared === 1) {
      const message = "The configuration file declares this key: change its text there.";
      throw new GatewayError("conflict", { message });
    }
    const text = createApiKey(needs.random);
    const isKept = overlapSeconds > 0;
    const row = {
      ...toText(text),
      previous_hash: isKept ? before.hash : null,
      previous_until_ms: isKept ? clock.nowMs() + overlapSeconds * 1000 : null,
    };
    const changes = { account: before.username, overlap_seconds: overlapSeconds };
    const note = { action: "key.rotate", target: before.id, changes } as const;
    const { store, database } = noting(needs, operator, note);
    await updateKey(store, database, before.id, { row });
    authenticator.forgetKey(before.hash, before.previous_hash);
    authenticator.forgetKey(row.hash);
    return { ...(await viewRow(needs, { ...before, ...row })), key: text };
  });
}
