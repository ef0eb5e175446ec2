// Seals anew, with the present secret, whatever another one has sealed. Each value is a change of
// its own, and both secrets open while it goes on, so that it may be cut off at any moment.
import type { AccountId, ChannelId } from "../../core/ids.ts";
import type { TwofoldSeal } from "../../core/seal.ts";
import { renewHeaders } from "../../distribution/channel-headers.ts";
import { deleteCanary, findCanary, insertCanary } from "../../identity/access/queries.ts";
import { totpContext } from "../../identity/factors/second-factors.ts";
import { flowContext } from "../../identity/oauth/states.ts";
import { letterContext } from "../../mail/outbox.ts";
import { commitTogether, type Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import { canaryName, nextCanaryName } from "../canary.ts";
import { renewValue } from "../setting/queries.ts";
import type { SecretStep } from "./contract.ts";
import { readSealed, updateOfSealed, type SealedPlace } from "./queries.ts";

interface Sealed extends SealedPlace {
  step: SecretStep;
  /** Null where it is sealed with the present secret already. */
  renew(seal: TwofoldSeal, text: string, id: string): string | null;
}

const few = 200;
/** All keys of a channel are read together. */
const all = 1_000_000;
/** Answers and prompts are large. */
const large = 20;

const byId = (seal: TwofoldSeal, text: string, id: string) => seal.renew(text, id);
const setting = (seal: TwofoldSeal, text: string, name: string) => renewValue(seal, name, text);

/** Every column of the database that has something sealed in it (`test/conformance/lifecycle`). */
const sealedPlaces: readonly Sealed[] = [
  place("channels", "channel_key", { column: "sealed", key: "channel_id", atOnce: all }, byId),
  place("channels", "channel", { column: "proxy", key: "id", atOnce: few }, byId),
  place("channels", "channel", { column: "headers", key: "id", atOnce: few }, (seal, headers, id) =>
    renewHeaders(seal, { id: id as ChannelId, headers }),
  ),
  place("settings", "setting", { column: "value", key: "name", atOnce: few }, setting),
  place("settings", "setting", { column: "previous", key: "name", atOnce: few }, setting),
  place("people", "totp", { column: "sealed", key: "account_id", atOnce: few }, (seal, text, id) =>
    seal.renew(text, totpContext(id as AccountId)),
  ),
  place(
    "people",
    "oauth_flow",
    { column: "sealed", key: "state_hash", atOnce: few },
    (seal, text, hash) => seal.renew(text, flowContext(hash)),
  ),
  place("mail", "mail", { column: "data", key: "id", atOnce: few }, (seal, text, id) =>
    seal.renew(text, letterContext(id)),
  ),
  place("contents", "captured", { column: "sealed", key: "request_id", atOnce: large }, byId),
  place("contents", "kept_answer", { column: "sealed", key: "id", atOnce: large }, byId),
];

function place(
  step: SecretStep,
  table: string,
  { column, key, atOnce }: Omit<SealedPlace, "table">,
  renew: Sealed["renew"],
): Sealed {
  return { step, table, column, key, atOnce, renew };
}

interface AnewNeeds {
  store: Store;
  database: Database;
  seal: TwofoldSeal;
  onStep(step: SecretStep): void;
  /** It is to stop where it is. */
  isOver(): boolean;
}

/** Returns how many values it sealed anew, and how many no secret opens. */
export async function sealAnew(needs: AnewNeeds): Promise<{ rows: number; unreadable: number }> {
  const { database, seal } = needs;
  if ((await findCanary(database, nextCanaryName)) === null) {
    await insertCanary(database, nextCanaryName, seal.close(nextCanaryName, nextCanaryName));
  }
  let rows = 0;
  for (;;) {
    // Values that were in flight with the old secret are there in the next round.
    await needs.store.applied();
    const round = await goRound(needs);
    rows += round.rows;
    if (needs.isOver() || round.rows === 0) {
      if (!needs.isOver()) await replaceCanaries(needs);
      return { rows, unreadable: round.unreadable };
    }
  }
}

async function goRound(needs: AnewNeeds): Promise<{ rows: number; unreadable: number }> {
  const sum = { rows: 0, unreadable: 0 };
  let step: SecretStep | null = null;
  for (const sealed of sealedPlaces) {
    if (sealed.step !== step) needs.onStep((step = sealed.step));
    let after = "";
    while (!needs.isOver()) {
      const cells = await readSealed(needs.database, sealed, after);
      const changes = cells.flatMap((before) => {
        const renewed = renewOne(needs.seal, sealed, before);
        if (renewed === undefined) sum.unreadable++;
        return typeof renewed === "string" ? [{ before, after: renewed }] : [];
      });
      const queries = changes.map((change) => updateOfSealed(needs.database, sealed, change));
      if (queries.length > 0) await commitTogether(needs.store, queries);
      sum.rows += queries.length;
      after = cells.at(-1)?.id ?? "";
      if (cells.length < sealed.atOnce) break;
    }
  }
  return sum;
}

/** Undefined where no secret opens it. */
function renewOne(seal: TwofoldSeal, sealed: Sealed, { id, text }: { id: string; text: string }) {
  try {
    return sealed.renew(seal, text, id);
  } catch {
    return undefined;
  }
}

/** From here on the new secret alone starts a gateway. */
async function replaceCanaries({ database, seal, onStep }: AnewNeeds): Promise<void> {
  onStep("proof");
  await deleteCanary(database, canaryName);
  await insertCanary(database, canaryName, seal.close(canaryName, canaryName));
  await deleteCanary(database, nextCanaryName);
}
