// An image task that another process left before it had begun: it is taken in again, for what it
// asked for and at the price of that moment.
import { GatewayError, toGatewayError } from "../../../core/errors.ts";
import { imageFamilies } from "../../../families/index.ts";
import type { Caller } from "../../../identity/caller.ts";
import type { Task, TaskError } from "../../../tasks/task.ts";
import { reopenImage } from "../open-image.ts";
import { enterRun, type SubmitImageNeeds } from "../submit-image.ts";
import { readOrder } from "./kept-order.ts";
import { neverSent } from "./perform.ts";

/** Null when it waits here from now on, or has to be tried again; else why it never can. */
export async function resumeImage(needs: SubmitImageNeeds, task: Task): Promise<TaskError | null> {
  const { orders, opening, runs } = needs;
  const order = await readOrder(orders, task.id);
  if (!order || !imageFamilies.some(({ name }) => name === task.family)) return neverSent;
  const { job, body, hops } = order;
  try {
    const reopened = reopenImage(opening, { job, caller: formerCaller(task) });
    const { candidates, most } = reopened;
    const opened = { candidates, most, price: task.price };
    const bytes = JSON.stringify(body).length;
    enterRun(needs, { id: task.id, bytes, order: { job, body }, opened, hops });
  } catch (error) {
    // There is no room just now.
    if (error instanceof GatewayError && error.code === "too_many_requests") return null;
    const { code, message } = toGatewayError(error);
    return { code, message };
  }
  runs.begin(task.id);
  return null;
}

/** The caller, as much as is known of it; the key's rights were looked at when it asked. */
function formerCaller({ accountId, keyId, group }: Task): Caller {
  return {
    accountId,
    username: "",
    keyId,
    keyName: "",
    makerId: null,
    projectId: null,
    group,
    multiplierPpm: 0,
    models: null,
    allowIps: null,
    expiresAtMs: null,
    isRestricted: false,
    rates: [],
  };
}
