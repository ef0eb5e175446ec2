// Ends a request that runs, as if its client had left: it is charged for what it had got by then.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { noteAlone } from "../audit/entry.ts";
import type { InflightNeeds } from "./list.ts";

export async function endInflight(
  needs: InflightNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  const call = needs.openCalls.find(id);
  if (!call) {
    const message = `No request ${id} runs here: it has ended, or never reached a model.`;
    throw new GatewayError("not_found", { param: "id", message });
  }
  if (!call.ending) {
    const message =
      "Its work has not begun, or goes on without its client: try again, or cancel it.";
    throw new GatewayError("conflict", { param: "id", message });
  }
  // First, so that nothing is ended without a word of it.
  const { model, caller } = call;
  const changes = { model, account: caller.accountId, key: caller.keyId };
  await noteAlone(needs, operator, { action: "request.end", target: id, changes });
  call.ending?.end();
  return { id };
}
