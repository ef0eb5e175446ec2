// A node's own description, and its view of the others.
import { hostname } from "node:os";
import type { NodesSeen, SeenNode } from "../../admin/node/list.ts";
import type { Config } from "../../config/config.ts";
import { version } from "../../core/version.ts";
import type { NodeSelf } from "../../store/turns.ts";
import type { Base } from "../base.ts";

export interface NodeStanding {
  /** Time that it may act yet. */
  leaseMs(): number;
  /** Times that others have called it dead. */
  fences(): number;
  /** Another one each time that it joins. */
  nodeId(): string;
}

/** Several of one machine have their number behind its name. */
export function nodeNameOf({ server, node }: Config): string {
  const name = server.nodeName ?? hostname();
  return node === null ? name : `${name}/${node.number}`;
}

export function selfOf(config: Config): NodeSelf {
  return { name: nodeNameOf(config), version };
}

const soleId = "sole";

/** The one that has its database to itself. */
export function aloneWith(config: Config, base: Base, startedAtMs: number): NodesSeen {
  return { hereId: soleId, rows: [soleNode(config, base, startedAtMs)] };
}

function soleNode(config: Config, { isLeaving }: Base, startedAtMs: number): SeenNode {
  return {
    id: soleId,
    name: nodeNameOf(config),
    version,
    state: isLeaving ? "leaving" : "live",
    startedAtMs,
    leaseUntilMs: null,
    turnedAtMs: null,
    lentMicros: 0,
  };
}
