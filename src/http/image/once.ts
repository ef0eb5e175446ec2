// Images under a key of the client's own: they are made as a task that the client waits for, so
// that the same request finds them again, whatever became of the connection.
import type { Answer } from "../../gateway/answer.ts";
import { answerMade } from "../../gateway/image/answer-image.ts";
import { awaitTask, openTaskImages, type AwaitNeeds } from "../../gateway/image/await-task.ts";
import { deliveryOf } from "../../gateway/image/serve-image.ts";
import { replayedHeaders } from "../../gateway/task/create-task.ts";
import { createImageTask, type CreateImageNeeds, type ImageCreation } from "./create.ts";

export interface OnceNeeds {
  creating: CreateImageNeeds;
  awaiting: AwaitNeeds;
}

export function serveOnce(
  { creating, awaiting }: OnceNeeds,
  creation: ImageCreation,
): Promise<Answer> {
  const { incoming, call } = creation;
  return createImageTask(creating, creation, (value, family) => ({
    // Another kind of create is another request, whatever its body says.
    identity: ({ kind }) => ({ isAwaited: true, kind, value }),
    // Who waits is told by the answer.
    webhookFields: [],
    admit: (job) => ({ job: { ...job, stream: false, partialImages: null }, body: value }),
    async answer(created, job) {
      const task = await awaitTask(awaiting, created.task, incoming.scope.signal);
      const served = await openTaskImages(awaiting, task, {
        delivery: deliveryOf(family, job, value),
        address: incoming.address,
      });
      return await answerMade(served, job, { ...call.limitHeaders, ...replayedHeaders(created) });
    },
  }));
}
