// The way between nodes and their database. A turn may arrive late, more than once or never, and so
// may its answer; whoever does not hear of it sends it again.
import type { NodeRound, RoundReply, CommitRounds } from "../../../src/store/turns.ts";
import type { Dice } from "../dice.ts";
import type { SharedDatabase } from "./database.ts";

interface Message {
  turn: NodeRound;
  /** Null until it has arrived. */
  outcome: RoundReply | Error | null;
  /** Nobody waits for its answer any longer. */
  isGhost: boolean;
  resolve(reply: RoundReply): void;
  reject(error: Error): void;
}

export class Network {
  readonly #database: SharedDatabase;
  #messages: Message[] = [];
  /** Answers before the database has heard of it: a flaw. */
  isHasty = false;

  constructor(database: SharedDatabase) {
    this.#database = database;
  }

  get isIdle(): boolean {
    return this.#messages.length === 0;
  }

  /** A node's view of it. */
  port(): CommitRounds {
    return {
      join: async (node, ttlMs) => this.#database.join(node, ttlMs),
      take: (turn) => this.#send(turn),
      leave: async () => undefined,
      reap: async () => [],
      fold: async () => ({ slices: 0, holds: [] }),
      tidy: async () => undefined,
      countLive: async () => 1,
      isLive: async () => true,
      list: async () => [],
      announceLeaving: async () => undefined,
      hearRecalls: () => undefined,
    };
  }

  #send(turn: NodeRound): Promise<RoundReply> {
    const { promise, resolve, reject } = Promise.withResolvers<RoundReply>();
    this.#messages.push({ turn, outcome: null, isGhost: false, resolve, reject });
    if (this.isHasty && !turn.document.includes('sks":')) resolve({ again: false });
    return promise;
  }

  /** Something happens to one of the messages. */
  step(dice: Dice): void {
    if (this.#messages.length === 0) return;
    const message = dice.pick(this.#messages);
    if (dice.chance(0.12)) this.#lose(message, dice);
    else if (message.outcome === null) this.#arrive(message);
    else this.#answer(message);
  }

  /** Everything arrives and is answered. */
  flush(): void {
    const messages = this.#messages;
    for (const message of messages) {
      if (message.outcome === null) this.#arrive(message);
      if (message.outcome !== null && this.#messages.includes(message)) this.#answer(message);
    }
  }

  /** The node is gone: what it sent may still arrive. */
  abandon(node: string): void {
    for (const message of this.#messages) if (message.turn.node === node) message.isGhost = true;
  }

  #arrive(message: Message): void {
    try {
      message.outcome = this.#database.turn(message.turn);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "RoundRefused") throw error;
      message.outcome = error;
    }
    if (message.isGhost) this.#drop(message);
  }

  #answer(message: Message): void {
    const { outcome, resolve, reject } = message;
    this.#drop(message);
    if (outcome instanceof Error) reject(outcome);
    else if (outcome) resolve(outcome);
  }

  /** Its sender gives up on it; if it has not arrived yet it still may. */
  #lose(message: Message, dice: Dice): void {
    message.reject(new Error("the connection was lost"));
    if (message.outcome !== null || dice.chance(0.5)) this.#drop(message);
    else message.isGhost = true;
  }

  #drop(message: Message): void {
    this.#messages = this.#messages.filter((other) => other !== message);
  }
}
