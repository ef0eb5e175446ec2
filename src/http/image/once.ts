// Images under a key of the client's own: they are made as a task that the client waits for, so
// that the same request finds them again, whatever became of the connection.
import { zeroMicros } from "../../core/money.ts";
import type { Answer } from "../../gateway/answer.ts";
import { tellBill } from "../../gateway/bill.ts";
import { answerMade } from "../../gateway/image/answer-image.ts";
import { awaitTask, openTaskImages, type AwaitNeeds } from "../../gateway/image/await-task.ts";
import { deliveryOf } from "../../gateway/image/serve-image.ts";
import { finishCreate, nameTask, replayedHeaders } from "../../gateway/task/create-task.ts";
import { createImageTask, readImage, type CreateImageNeeds, type ImageCreation } from "./create.ts";

export interface OnceNeeds {
  creating: CreateImageNeeds;
  awaiting: AwaitNeeds;
}

export async function serveOnce(
  { creating, awaiting }: OnceNeeds,
  creation: ImageCreation,
): Promise<Answer> {
  const { incoming, call } = creation;
  const { job, value, family, bytes } = await readImage(creating, creation);
  // A client that waits is told by the answer, and by no webhook.
  const webhookUrl = await nameTask(creating.tasks, call, { job, body: value, fields: [] });
  const created = await createImageTask(creating, creation, {
    // Another kind of create is another request, whatever its body says.
    identity: { isAwaited: true, kind: job.kind, value },
    webhookUrl,
    family,
    job: { ...job, stream: false, partialImages: null },
    body: value,
    bytes,
  });
  const task = await awaitTask(awaiting, created.task, incoming.scope.signal);
  const served = await openTaskImages(awaiting, task, {
    delivery: deliveryOf(family, job, value),
    address: incoming.address,
  });
  const headers = { ...call.limitHeaders, ...replayedHeaders(created) };
  const charged = await awaiting.chargeOf(task.id);
  if (charged !== null) tellBill(headers, { charged, saved: zeroMicros });
  return finishCreate(call, await answerMade(served, job, { headers, render: creation.render }));
}
