// Sharing of one ledger between many nodes: each takes numbered turns, one at a time. A turn is
// applied whole, once, and only while its node is live; its answer says what the node was lent.

export interface NodeRound {
  node: string;
  /** One more than the last; the same turn may be sent again, and counts once. */
  seq: number;
  /** So long from now on the node is live, if nothing more is heard of it. */
  ttlMs: number;
  document: string;
  logged?: string | undefined;
}

/**
 * Subject, whether it has no bound (accounts) or has one (keys), lent ever, pending elsewhere, and
 * how long ago the last one was heard of among those that have or hold something of it.
 */
export type LentCells = readonly [
  id: string,
  flag: 0 | 1,
  lentEver: number,
  pending: number,
  unheardMs: number,
];

/**
 * The same of a cap, then its whole limit, what all have spent under it, its end, and how much more
 * than its limit is spent, held or lent of it.
 */
export type CapCells = readonly [
  ...LentCells,
  limitMicros: number,
  spentMicros: number,
  closesAtMs: number | null,
  excessMicros: number,
];

/** A cap that is only counted: its whole limit, and what all have spent under it. */
type ToldCells = readonly [id: string, limitMicros: number, spentMicros: number];

export interface RoundReply {
  /** It was in the book already. */
  again: boolean;
  slices?: readonly LentCells[];
  keys?: readonly LentCells[];
  caps?: readonly CapCells[];
  told?: readonly ToldCells[];
  /** Accounts whose slices this node is to give back. */
  recalled?: readonly string[];
  /** Tasks that are somebody else's: what was to be done with them was left out, with its money. */
  conflicts?: readonly string[];
}

interface Fold {
  /** So many accounts at once. */
  accountsMax: number;
  atMs: number;
  /** The holds whose records the log is to have, and those records. */
  holdIds: readonly string[];
  logged: string | undefined;
}

export interface Folded {
  slices: number;
  /** Those whose records are to be brought first, as the cells of a hold; nothing was done then. */
  holds: readonly (readonly (string | number | null)[])[];
}

/** A node's description of itself when it joins. */
export interface NodeSelf {
  name: string;
  version: string;
}

export interface NodeRow extends NodeSelf {
  id: string;
  state: "live" | "leaving" | "dead";
  startedAtMs: number;
  /** Unheard of until then, others may call it dead; of one that ended, when it did. */
  leaseUntilMs: number;
  /** Moment of its last turn; null where that is not known. */
  turnedAtMs: number | null;
  /** Micros lent to it of limited accounts and not spent. */
  lentMicros: number;
}

export interface CommitRounds {
  join(node: string, ttlMs: number, self: NodeSelf): Promise<void>;
  take(turn: NodeRound): Promise<RoundReply>;
  /** The node is dead by its own word, or by that of whoever has its folder now. */
  leave(node: string): Promise<void>;
  /** Ends the nodes whose lease has run out; returns them. */
  reap(): Promise<string[]>;
  /** Gives back what dead nodes had; to be repeated until there is nothing. */
  fold(fold: Fold): Promise<Folded>;
  /** Forgets what nobody needs any longer. */
  tidy(): Promise<void>;
  countLive(): Promise<number>;
  /** False once it is dead: no turn of it is taken any more. */
  isLive(node: string): Promise<boolean>;
  /** All that are known, the living first. */
  list(): Promise<NodeRow[]>;
  /** It takes turns until the end, and is not to be counted on. */
  announceLeaving(node: string): Promise<void>;
  /** Tells of what was recalled; notices may be lost, and every turn's answer has them too. */
  hearRecalls(heard: (subject: string) => void): void;
}

type RefusalReason = "fenced" | "history_lost" | "refused";

/** The turn will never be taken, however often it is sent. */
export class RoundRefused extends Error {
  override readonly name = "RoundRefused";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
