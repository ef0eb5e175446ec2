// The nodes of the gateway, as the database knows them.
import type { Operator } from "../../identity/caller.ts";
import type { NodeRow } from "../../store/turns.ts";
import type { Listed, NodeView } from "../contract.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import { cutPage, readPage } from "../page.ts";

/** A node, seen from the one that is asked. */
export interface NodeSeen extends Omit<NodeRow, "leaseUntilMs"> {
  /** Null where there is nobody who could call it dead. */
  leaseUntilMs: number | null;
  isHere: boolean;
}

export interface NodeNeeds {
  nodes(): Promise<NodeSeen[]>;
}

export async function listNodes(
  { nodes }: NodeNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<NodeView>> {
  const page = readPage(query);
  return cutPage(page, (await nodes()).map(toView));
}

function toView(node: NodeSeen): NodeView {
  const { id, name, version, state, leaseUntilMs, turnedAtMs } = node;
  return {
    id,
    name,
    version,
    state,
    here: node.isHere,
    started_at: toSeconds(node.startedAtMs),
    lease_until: toSecondsOrNull(leaseUntilMs),
    last_turn_at: toSecondsOrNull(turnedAtMs),
    lent_micros: node.lentMicros,
  };
}
