// Images under a key of the client's own: they are created as a task that the client waits for, so
// that the same request finds them again, whatever became of the connection.
import type { ImageJob } from "../../families/image-job.ts";
import type { Answer } from "../../gateway/answer.ts";
import { answerMade } from "../../gateway/image/answer-image.ts";
import { awaitTask, openTaskImages, type AwaitNeeds } from "../../gateway/image/await-task.ts";
import { deliveryOf, findFamily } from "../../gateway/image/serve-image.ts";
import { submitImage, type SubmitImageNeeds } from "../../gateway/image/submit-image.ts";
import type { OpenCall } from "../../gateway/open-call.ts";
import {
  createTask,
  replayedHeaders,
  type CreateTaskNeeds,
} from "../../gateway/task/create-task.ts";
import { isForm } from "../multipart.ts";
import type { Incoming } from "../route.ts";

export interface OnceNeeds {
  tasks: CreateTaskNeeds;
  submitting: SubmitImageNeeds;
  awaiting: AwaitNeeds;
  bodyBytesMax: number;
}

export function serveOnce(
  needs: OnceNeeds,
  kind: ImageJob["kind"],
  incoming: Incoming,
  call: OpenCall,
): Promise<Answer> {
  const { headers, scope } = incoming;
  const { caller } = call;
  return createTask(needs.tasks, {
    call,
    idempotencyKey: headers.get("idempotency-key"),
    async readOrder() {
      const { value, bytes } = await incoming.jsonOrForm(needs.bodyBytesMax);
      const family = findFamily({ kind, body: value });
      return {
        body: value,
        // Another kind of create is another request, whatever its body says.
        identity: (job) => ({ isAwaited: true, kind: job.kind, value }),
        // Who waits is told by the answer.
        webhookFields: [],
        parse: () => family.parse(value, { kind, isForm: isForm(headers) }),
        async prepare(job) {
          const whole: ImageJob = { ...job, stream: false, partialImages: null };
          const submission = { family, job: whole, body: value, caller, bytes, hops: scope.hops };
          return (terms) => submitImage(needs.submitting, { ...submission, ...terms });
        },
        async answer(created, job) {
          const task = await awaitTask(needs.awaiting, created.task, scope.signal);
          const served = await openTaskImages(needs.awaiting, task, deliveryOf(job, value));
          return await answerMade(served, job, {
            ...call.limitHeaders,
            ...replayedHeaders(created),
          });
        },
      };
    },
  });
}
