// What a node says of itself, and how it and others are seen from here.
import { hostname } from "node:os";
import type { NodeSeen } from "../../admin/node/list.ts";
import type { Config } from "../../config/config.ts";
import { version } from "../../core/version.ts";
import type { NodeRow, NodeSelf } from "../../store/turns.ts";
import type { Base } from "../base.ts";

export interface NodeStanding {
  /** How long it may act yet. */
  leaseMs(): number;
  /** How often others have called it dead. */
  fences(): number;
}

/** Several of one machine have their number behind its name. */
export function nodeNameOf({ server, node }: Config): string {
  const name = server.nodeName ?? hostname();
  return node === null ? name : `${name}/${node.number}`;
}

export function selfOf(config: Config): NodeSelf {
  return { name: nodeNameOf(config), version };
}

/** The one that has its database to itself. */
export function soleNode(config: Config, { isLeaving }: Base, startedAtMs: number): NodeSeen {
  return {
    id: "sole",
    name: nodeNameOf(config),
    version,
    state: isLeaving ? "leaving" : "live",
    startedAtMs,
    leaseUntilMs: null,
    turnedAtMs: null,
    lentMicros: 0,
    isHere: true,
  };
}

export function seenFrom(nodeId: string, rows: readonly NodeRow[]): NodeSeen[] {
  return rows.map((row) => ({ ...row, isHere: row.id === nodeId }));
}
