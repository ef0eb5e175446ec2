// Sharing between nodes of one database: turns in what they change, word of it, and one time.
import type { Clock, Stop } from "../core/clock.ts";

export interface Sharing extends Turning {
  /** The database's own time, which is one for all nodes. */
  readonly clock: Clock;
  /** Tells other nodes that something is new about a subject. It may be lost. */
  tell(subject: string): void;
  /** Told of the subjects that other nodes tell of, a few at once. */
  hear(heard: (subjects: readonly string[]) => void): void;
}

export interface Turning {
  /**
   * Runs the work while no node has another turn of the topic, and once this one knows what the
   * turns before have changed. Every commit of the work carries the topic's version: a node that
   * lost its turn changes nothing any more.
   */
  exclusively<Result>(topic: string, work: () => Promise<Result>): Promise<Result>;
  /** `changed` brings memory up to the database after another node's turn of the topic. */
  watch(topic: string, changed: () => Promise<void>): Stop;
  /** Resolves when whoever else works has had the time to hear of what was changed before. */
  spread(): Promise<void>;
  /** The version of each topic that memory is at. */
  readonly known: ReadonlyMap<string, number>;
}
