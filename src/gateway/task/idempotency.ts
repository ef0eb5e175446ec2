// Idempotency keys: a create that is sent again with the same key finds what it made before.
import type { Clock } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import type { TaskBook } from "../../tasks/book.ts";
import { deleteCreates, findCreate, type MadeTask } from "../../tasks/queries.ts";
import type { Create, Task } from "../../tasks/task.ts";

interface CreatesNeeds {
  database: Database;
  store: Store;
  book: TaskBook;
  clock: Clock;
}

export interface CreatedTask {
  task: Task;
  /** It was there before. */
  isRepeated: boolean;
}

type Make = (create: Create) => Promise<Task>;

const keptMs = 86_400_000;

export class Creates {
  readonly #needs: CreatesNeeds;
  readonly #running = new Map<string, { digest: string; making: Promise<CreatedTask> }>();

  constructor(needs: CreatesNeeds) {
    this.#needs = needs;
  }

  /** One that comes while the first is still being made waits for it. */
  async once(accountId: AccountId, create: Create, make: Make): Promise<CreatedTask> {
    const name = nameOf(accountId, create.key);
    const running = this.#running.get(name);
    if (running) {
      assertSame(running.digest, create);
      const { task } = await running.making;
      return { task: this.#needs.book.latest(task), isRepeated: true };
    }
    const making = this.#findOrMake(accountId, create, make);
    this.#running.set(name, { digest: create.digest, making });
    try {
      return await making;
    } finally {
      this.#running.delete(name);
    }
  }

  /** What a create with this key made, or is still making; null when that is nothing. */
  async findMade(accountId: AccountId, key: string): Promise<Task | null> {
    const running = this.#running.get(nameOf(accountId, key));
    // How it fails is told to those who asked for it.
    await running?.making.catch(() => {});
    const row = await this.#find(accountId, key);
    return row && (await this.#needs.book.find(row.task_id));
  }

  async expire(): Promise<void> {
    await deleteCreates(this.#needs.database, this.#needs.clock.nowMs() - keptMs);
  }

  async #findOrMake(accountId: AccountId, create: Create, make: Make): Promise<CreatedTask> {
    const row = await this.#find(accountId, create.key);
    if (!row || isUndone(row)) return { task: await make(create), isRepeated: false };
    assertSame(row.body_digest, create);
    const task = await this.#needs.book.find(row.task_id);
    if (task) return { task, isRepeated: true };
    throw conflict("The task that was made with this key has been deleted.");
  }

  async #find(accountId: AccountId, key: string): Promise<MadeTask | null> {
    const { database, store, clock } = this.#needs;
    await store.applied();
    const row = await findCreate(database, accountId, key);
    return row && row.created_at_ms > clock.nowMs() - keptMs ? row : null;
  }
}

function nameOf(accountId: AccountId, key: string): string {
  return `${accountId} ${key}`;
}

/** It came to nothing and cost nothing, so the key is free again. */
function isUndone({ state, deleted_at_ms }: MadeTask): boolean {
  return state === "failed" && deleted_at_ms !== null;
}

function assertSame(digest: string, create: Create): void {
  if (digest !== create.digest) throw conflict("This key was used for another request.");
}

function conflict(message: string): GatewayError {
  return new GatewayError("conflict", { param: "Idempotency-Key", message });
}
