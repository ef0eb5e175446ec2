// What nodes that share a database have of each other: turns in what they change, and word of it.
import type { Stop } from "../core/clock.ts";

export interface Sharing {
  /**
   * Runs the work while no node has another turn of the topic, and once this one knows what the
   * turns before have changed. Every commit of the work carries the topic's version: a node that
   * lost its turn changes nothing any more.
   */
  inTurn<Result>(topic: string, work: () => Promise<Result>): Promise<Result>;
  /** `changed` brings memory up to the database after another node's turn of the topic. */
  watch(topic: string, changed: () => Promise<void>): Stop;
  /** Resolves when whoever else works has had the time to hear of what was changed before. */
  spread(): Promise<void>;
  /** The version of each topic that memory is at. */
  readonly known: ReadonlyMap<string, number>;
}
