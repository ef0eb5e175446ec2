// Idempotency keys: a create that is sent again with the same key finds what it made before.
// Keys of an account find each other's, apart from those that members of an organisation made, who
// have names of their own, and from keys that may do less than their account, which have theirs.
import type { Clock } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";
import type { AccountId, KeyId } from "../../core/ids.ts";
import type { Caller } from "../../identity/caller.ts";
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

type Creator = Pick<Caller, "accountId" | "keyId" | "makerId" | "isRestricted">;
type Make = (create: Create) => Promise<Task>;

const keptMs = 86_400_000;

export class Creates {
  readonly #needs: CreatesNeeds;
  readonly #running = new Map<string, { digest: string; making: Promise<CreatedTask> }>();

  constructor(needs: CreatesNeeds) {
    this.#needs = needs;
  }

  /** One that comes while the first is still being made waits for it. */
  async once(creator: Creator, create: Create, make: Make): Promise<CreatedTask> {
    const name = nameOf(creator, create.key);
    const running = this.#running.get(name);
    if (running) {
      assertSame(running.digest, create);
      const { task } = await running.making;
      return { task: this.#needs.book.latest(task), isRepeated: true };
    }
    const making = this.#findOrMake(creator, create, make);
    this.#running.set(name, { digest: create.digest, making });
    try {
      return await making;
    } finally {
      this.#running.delete(name);
    }
  }

  /** The task that a create with this key made, or is still making; null when there is none. */
  async findMade(creator: Creator, key: string): Promise<Task | null> {
    const running = this.#running.get(nameOf(creator, key));
    // Its failure is told to those who asked for it.
    await running?.making.catch(() => {});
    const row = await this.#find(creator, key);
    return row && (await this.#needs.book.find(row.task_id));
  }

  async expire(): Promise<void> {
    await deleteCreates(this.#needs.database, this.#needs.clock.nowMs() - keptMs);
  }

  async #findOrMake(creator: Creator, create: Create, make: Make): Promise<CreatedTask> {
    const row = await this.#find(creator, create.key);
    if (row && !isUndone(row)) return await this.#repeat(row, create);
    const key = storedKey(creator, create.key);
    try {
      return { task: await make({ ...create, key }), isRepeated: false };
    } catch (error) {
      // Another node made one at the same moment.
      const isLate = error instanceof GatewayError && error.code === "conflict";
      const first = isLate ? await this.#find(creator, create.key) : null;
      if (!first || isUndone(first)) throw error;
      return await this.#repeat(first, create);
    }
  }

  async #repeat(row: MadeTask, create: Create): Promise<CreatedTask> {
    assertSame(row.body_digest, create);
    const task = await this.#needs.book.find(row.task_id);
    if (task) return { task, isRepeated: true };
    throw conflict("The task that was made with this key has been deleted.");
  }

  /** However the key was restricted then and is now, and by whatever name earlier versions did. */
  async #find(creator: Creator, key: string): Promise<MadeTask | null> {
    const { database, store } = this.#needs;
    const { accountId, keyId, makerId, isRestricted } = creator;
    await store.applied();
    for (const name of namesOf(creator, key)) {
      const row = await findCreate(database, accountId, name);
      if (!row || !this.#isKept(row)) continue;
      const isOwn = isRestricted ? row.key_id === keyId : row.maker_id === makerId;
      if (isOwn) return row;
    }
    return null;
  }

  #isKept({ created_at_ms: createdAtMs }: MadeTask): boolean {
    return createdAtMs > this.#needs.clock.nowMs() - keptMs;
  }
}

/** Name of an idempotency key among those of all accounts. */
export function nameOf(creator: Creator, key: string): string {
  return `${creator.accountId} ${storedKey(creator, key)}`;
}

/**
 * Name that versions before gave to a member's idempotency key, as if it were the account's; null
 * where it is the same.
 */
export function earlierNameOf({ accountId, makerId, isRestricted }: Creator, key: string) {
  return isRestricted || makerId === null ? null : `${accountId} ${key}`;
}

function storedKey({ keyId, makerId, isRestricted }: Creator, key: string): string {
  return isRestricted ? nameWithin(keyId, key) : nameWithin(makerId, key);
}

/** All names that a create of this key can be under, the most particular first. */
function namesOf({ keyId, makerId }: Creator, key: string): Set<string> {
  return new Set([nameWithin(keyId, key), nameWithin(makerId, key), key]);
}

/** No header can say the part before the key. */
function nameWithin(ownerId: KeyId | AccountId | null, key: string): string {
  return ownerId === null ? key : `${ownerId}\n${key}`;
}

/** It came to nothing and cost nothing, so the key is free again. */
function isUndone({ state, deleted_at_ms }: MadeTask): boolean {
  return state === "failed" && deleted_at_ms !== null;
}

const param = "Idempotency-Key";

export function assertKey(key: string): void {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return;
  const message = "Idempotency-Key must be a text of at most 255 ASCII characters.";
  throw new GatewayError("invalid_request", { param, message });
}

export function assertSame(digest: string, create: Pick<Create, "digest">): void {
  if (digest !== create.digest) throw conflict("This key was used for another request.");
}

export function conflict(message: string): GatewayError {
  return new GatewayError("conflict", { param, message });
}
