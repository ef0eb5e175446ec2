// Images for which nobody waits: a create answers with a task, and the task is asked about.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { readImageRow } from "../../families/image-row.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import { findFamily } from "../../gateway/image/serve-image.ts";
import { submitImage, type SubmitImageNeeds } from "../../gateway/image/submit-image.ts";
import { openBase64Task } from "../../gateway/image/task/base64-task.ts";
import { renderImageTask, renderNewImageTask } from "../../gateway/image/task/render.ts";
import type { OpenCall } from "../../gateway/open-call.ts";
import {
  answerCreated,
  createTask,
  webhookFields,
  type CreateTaskNeeds,
} from "../../gateway/task/create-task.ts";
import { requireOwnTask } from "../../gateway/task/own-task.ts";
import type { Caller } from "../../identity/caller.ts";
import type { MediaStore } from "../../media/media.ts";
import type { TaskBook } from "../../tasks/book.ts";
import { isTerminal } from "../../tasks/task.ts";
import { isForm } from "../multipart.ts";
import type { Incoming, KeyRoute } from "../route.ts";

export interface ImageTaskRouteNeeds {
  tasks: CreateTaskNeeds;
  submitting: SubmitImageNeeds;
  book: TaskBook;
  media: MediaStore;
  /** What clients that poll by themselves are told to wait. */
  pollAfterMs: number;
  bodyBytesMax: number;
}

const paths: readonly [path: string, kind: ImageJob["kind"]][] = [
  ["/v1/images/generations/async", "generate"],
  ["/v1/images/edits/async", "edit"],
];

export function imageTaskRoutes(needs: ImageTaskRouteNeeds): KeyRoute[] {
  const key = { policy: "key", carriers: ["bearer"], envelope: "a" } as const;
  return paths.flatMap(([path, kind]): KeyRoute[] => [
    {
      ...key,
      isPaid: true,
      method: "POST",
      path,
      serve: (incoming, call) => create(needs, kind, incoming, call),
    },
    {
      ...key,
      isPaid: false,
      method: "GET",
      path: `${path}/{taskId}`,
      serve: (incoming, { caller }) => read(needs, incoming, caller),
    },
  ]);
}

function create(
  needs: ImageTaskRouteNeeds,
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
        identity: (job) => ({ kind: job.kind, value }),
        parse: () => family.parse(value, { kind, isForm: isForm(headers) }),
        async prepare(job) {
          assertNoStream(job);
          const body = withoutWebhook(value);
          const submission = { family, job, body, caller, bytes, hops: scope.hops };
          return (terms) => submitImage(needs.submitting, { ...submission, ...terms });
        },
        answer: async (created) => answerCreated(created, renderNewImageTask(created.task)),
      };
    },
  });
}

function assertNoStream({ stream }: ImageJob): void {
  if (!stream) return;
  const message = "stream is not for asynchronous tasks.";
  throw new GatewayError("invalid_request", { param: "stream", message });
}

/** Who is told of the end is told by us. */
function withoutWebhook(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !webhookFields.includes(name)));
}

async function read(
  needs: ImageTaskRouteNeeds,
  { params }: Incoming,
  caller: Caller,
): Promise<Answer> {
  const name = { kind: "image", id: params["taskId"], param: "taskId" } as const;
  const task = await requireOwnTask(needs.book, caller, name);
  const isBase64 = readImageRow(task.job).delivery === "b64_json";
  if (task.state === "completed" && isBase64) {
    const body = await openBase64Task(needs.media, task);
    return { status: 200, contentType: "application/json", body };
  }
  const answer = jsonAnswer(renderImageTask(task, needs.media));
  if (isTerminal(task.state)) return answer;
  return { ...answer, headers: { "openai-poll-after-ms": String(needs.pollAfterMs) } };
}
