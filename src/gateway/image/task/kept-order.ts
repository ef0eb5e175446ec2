// The order of an image task, kept so that another process can begin it: in the task's row, or
// where it is large, as references make it, in a file beside the media.
import type { TaskId } from "../../../core/ids.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import type { ImageJob } from "../../../families/image-job.ts";

interface KeptOrder {
  job: ImageJob;
  /** The client's own body, for upstreams that take it as it is. */
  body: JsonObject;
  hops: number;
}

export interface KeptOrderNeeds {
  /** Read the part that stands in the task's row. */
  readRow(id: TaskId): Promise<string | null>;
  storage: {
    put(id: TaskId, text: string): Promise<void>;
    read(id: TaskId): Promise<string | null>;
    remove(id: TaskId): Promise<void>;
  };
}

const rowCharactersMax = 16_384;
const inStorage = "";

/** Returns what the row is to have. */
export async function keepOrder(
  { storage }: KeptOrderNeeds,
  id: TaskId,
  order: KeptOrder,
): Promise<string> {
  const text = JSON.stringify(order);
  if (text.length <= rowCharactersMax) return text;
  await storage.put(id, text);
  return inStorage;
}

/** Null when it is not there any more. */
export async function readOrder(
  { readRow, storage }: KeptOrderNeeds,
  id: TaskId,
): Promise<KeptOrder | null> {
  const cell = await readRow(id);
  const text = cell === inStorage ? await storage.read(id) : cell;
  if (text === null) return null;
  const order: unknown = JSON.parse(text);
  return isObject(order) ? (order as unknown as KeptOrder) : null;
}

/** Forget the order of a task that has begun, or never will. */
export async function forgetOrder({ storage }: KeptOrderNeeds, id: TaskId): Promise<void> {
  await storage.remove(id);
}
