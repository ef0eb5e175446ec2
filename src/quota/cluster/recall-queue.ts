// Subjects that everybody is to give back, and those who wait until that is told.

interface Recall {
  subject: string;
  resolve(): void;
  reject(error: Error): void;
}

export class RecallQueue {
  #waiting: Recall[] = [];
  #sent: Recall[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Resolves when it is told. */
  add(subject: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ subject, resolve, reject });
    return promise;
  }

  /** Those that the next turn tells. */
  take(): string[] {
    this.#sent = this.#waiting;
    this.#waiting = [];
    return this.#sent.map(({ subject }) => subject);
  }

  /** The turn was answered. */
  told(): void {
    for (const { resolve } of this.#sent.splice(0)) resolve();
  }

  fail(error: Error): void {
    const recalls = [...this.#sent.splice(0), ...this.#waiting.splice(0)];
    for (const { reject } of recalls) reject(error);
  }
}
