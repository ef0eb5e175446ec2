// The exchange of the gateway's own secret.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { noteAlone } from "../audit/entry.ts";
import { toProgressView } from "../progress.ts";
import type { SecretView, SecretWorkView } from "./contract.ts";
import type { SecretNeeds, SecretWork } from "./needs.ts";

export async function readSecretState({ secrets }: SecretNeeds): Promise<SecretView> {
  const { place, hasSecond, obstacle, work } = secrets;
  return { place, has_second: hasSecond, obstacle, work: work && toView(work) };
}

/** Noted before it begins: what comes of it is no change of its own. */
export async function rotateSecret(
  { noting, secrets }: SecretNeeds,
  operator: Operator,
): Promise<SecretWorkView> {
  const { place, obstacle } = secrets;
  if (obstacle !== null) throw new GatewayError("conflict", { message: obstacle });
  secrets.assertIdle();
  await noteAlone(noting, operator, {
    action: "secret.rotate",
    target: "secret",
    changes: { place },
  });
  return toView(secrets.rotate());
}

function toView(work: SecretWork): SecretWorkView {
  return { ...toProgressView(work), result: work.result };
}
