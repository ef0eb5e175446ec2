// The nodes of the gateway, as the database knows them.
import type { Operator } from "../../identity/caller.ts";
import type { NodeRow } from "../../store/turns.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import { cutPage, pageOf } from "../page.ts";
import type { NodeCalls, NodeView } from "./contract.ts";

export interface SeenNode extends Omit<NodeRow, "leaseUntilMs"> {
  /** Null where there is nobody who could call it dead. */
  leaseUntilMs: number | null;
}

/** The nodes, seen from the one that is asked. */
export interface NodesSeen {
  hereId: string;
  rows: readonly SeenNode[];
}

export interface NodeNeeds {
  nodes(): Promise<NodesSeen>;
}

export async function listNodes(
  { nodes }: NodeNeeds,
  _operator: Operator,
  { query }: InputOf<NodeCalls["list"]>,
): Promise<Listed<NodeView>> {
  const page = pageOf(query);
  const { hereId, rows } = await nodes();
  return cutPage(
    page,
    rows.map((row) => toView(row, hereId)),
  );
}

function toView(node: SeenNode, hereId: string): NodeView {
  const { id, name, version, state, leaseUntilMs, turnedAtMs } = node;
  return {
    id,
    name,
    version,
    state,
    here: id === hereId,
    started_at: toSeconds(node.startedAtMs),
    lease_until: toSecondsOrNull(leaseUntilMs),
    last_turn_at: toSecondsOrNull(turnedAtMs),
    lent_micros: node.lentMicros,
  };
}
