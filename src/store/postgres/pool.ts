// A few connections for many questions: each goes to one that is free, the others wait in line.
import { StoreError } from "../store.ts";
import { PostgresConnection, type ConnectionNeeds } from "./connection.ts";

export class ConnectionPool {
  readonly #free: PostgresConnection[];
  readonly #all: readonly PostgresConnection[];
  readonly #waiting: ((connection: PostgresConnection) => void)[] = [];
  #isClosed = false;

  constructor(size: number, needs: ConnectionNeeds) {
    this.#all = Array.from({ length: size }, () => new PostgresConnection(needs));
    this.#free = [...this.#all];
  }

  async use<Result>(work: (connection: PostgresConnection) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new StoreError("closed", "the store is closed");
    const connection =
      this.#free.pop() ??
      (await new Promise<PostgresConnection>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work(connection);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(connection);
      else this.#free.push(connection);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#all) connection.drop();
  }
}
