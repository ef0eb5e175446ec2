// Images, at once and as tasks, and the imgF dialect.
import { Type } from "../../../core/schema.ts";
import {
  anyObject,
  anything,
  text,
  whole,
  word,
  type Body,
  type Operation,
  type Operations,
} from "../operation.ts";

const tag = "Images";
const tokens = Type.Integer({ minimum: 0 });

const usage = Type.Object({
  input_tokens: tokens,
  output_tokens: tokens,
  total_tokens: tokens,
  input_tokens_details: Type.Optional(anyObject),
  output_tokens_details: Type.Optional(anyObject),
});

const picture = Type.Object({
  url: Type.Optional(text("A signed link that expires.")),
  b64_json: Type.Optional(text()),
  revised_prompt: Type.Optional(text()),
});

const images = Type.Object({
  created: whole("Unix seconds."),
  data: Type.Array(picture),
  size: Type.Optional(text("As it really is, such as 1024x1024.")),
  quality: Type.Optional(text()),
  background: Type.Optional(text()),
  output_format: Type.Optional(text()),
  usage: Type.Optional(usage),
});

const task = Type.Object({
  id: text(),
  task_id: text("The same as id."),
  taskId: Type.Optional(text("The same as id, when it was just made.")),
  object: Type.Literal("image.generation.task"),
  model: text(),
  status: word("queued", "in_progress", "completed", "failed"),
  progress: text("Such as 37%."),
  created_at: whole("Unix seconds."),
  completed_at: Type.Optional(whole("Unix seconds.")),
  size: Type.Optional(text()),
  quality: Type.Optional(text()),
  data: Type.Optional(Type.Array(picture)),
  usage: Type.Optional(usage),
  error: Type.Optional(Type.Object({ message: text(), code: text() })),
});

const reference = Type.Unsafe<unknown>({
  type: ["string", "array", "object"],
  description:
    "A URL, a data URI, base64, an object with one of them, or several; files of a form.",
});

const common = {
  n: Type.Optional(Type.Integer({ minimum: 0, description: "0 is 1." })),
  size: Type.Optional(text("Such as 1024x1024; which ones depends on the model.")),
  quality: Type.Optional(text("low, medium, high, xhigh, max or auto.")),
  response_format: Type.Optional(word("url", "b64_json")),
  style: Type.Optional(anything),
  background: Type.Optional(anything),
  watermark: Type.Optional(Type.Boolean({ description: "Unsaid is not the same as false." })),
  stream: Type.Optional(Type.Boolean()),
};

const generation = Type.Object({
  model: text("An image model, such as imageA-2."),
  prompt: text(),
  image: Type.Optional(reference),
  ...common,
});

const edit = Type.Object({
  model: Type.Optional(text("imageA-2 where it is left out.")),
  prompt: text(),
  image: reference,
  mask: Type.Optional(reference),
  ...common,
});

/** The smallest picture there is. */
const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk" +
  "YPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const generate: Body = {
  schema: generation,
  example: { model: "imageA-2", prompt: "A heron on a weir.", size: "1024x1024" },
  isForm: true,
};
const change: Body = {
  schema: edit,
  example: { model: "imageA-2", prompt: "Make it blue.", image: pixel },
  isForm: true,
};

const accepted = Type.Object({
  code: whole("1 begun, 21 waits for a modal, 22 queued."),
  description: text(),
  result: text("The task's id."),
  properties: Type.Optional(anyObject),
});

const imgFTask = Type.Object({
  id: text(),
  action: text(),
  status: word("NOT_START", "SUBMITTED", "IN_PROGRESS", "MODAL", "SUCCESS", "FAILURE"),
  prompt: text(),
  promptEn: text(),
  description: text(),
  state: text(),
  submitTime: whole("Milliseconds."),
  startTime: whole("Milliseconds."),
  finishTime: whole("Milliseconds."),
  progress: text("Such as 37%."),
  imageUrl: text(),
  failReason: text(),
  buttons: Type.Array(anything),
  properties: anyObject,
});

const submission = Type.Object({
  prompt: Type.Optional(text()),
  base64Array: Type.Optional(Type.Array(text())),
  base64: Type.Optional(text()),
  taskId: Type.Optional(text()),
  customId: Type.Optional(text()),
  action: Type.Optional(word("UPSCALE", "VARIATION", "REROLL")),
  index: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
  dimensions: Type.Optional(word("PORTRAIT", "SQUARE", "LANDSCAPE")),
  maskBase64: Type.Optional(text()),
  content: Type.Optional(text()),
  botType: Type.Optional(word("MID_JOURNEY", "NIJI_JOURNEY")),
  state: Type.Optional(text()),
  notifyHook: Type.Optional(text()),
});

const taskId = "task_00000000000000000000000000";

function submit(summary: string, example: Body["example"]): Operation {
  return { tag: "imgF", summary, body: { schema: submission, example }, answer: accepted };
}

export const imageOperations: Operations = {
  "POST /v1/images/generations": {
    tag,
    summary: "Create images",
    description: "With `stream: true` a stream of OpenAI's image events.",
    body: generate,
    answer: images,
  },
  "POST /v1/images/edits": { tag, summary: "Edit images", body: change, answer: images },
  "POST /v1/edits": { tag, summary: "Edit images (older address)", body: change, answer: images },
  "POST /v1/images/generations/async": {
    tag,
    summary: "Create images as a task",
    body: generate,
    answer: task,
  },
  "GET /v1/images/generations/async/{taskId}": { tag, summary: "Read an image task", answer: task },
  "POST /v1/images/edits/async": {
    tag,
    summary: "Edit images as a task",
    body: change,
    answer: task,
  },
  "GET /v1/images/edits/async/{taskId}": { tag, summary: "Read an image task", answer: task },
  "POST /imgF/submit/imagine": submit("Imagine", { prompt: "a heron on a weir" }),
  "POST /imgF/submit/change": submit("Change a picture", { taskId, action: "UPSCALE", index: 1 }),
  "POST /imgF/submit/simple-change": submit("Change a picture, in one line", {
    content: `${taskId} U1`,
  }),
  "POST /imgF/submit/action": submit("Press a button of a task", { taskId, customId: "example" }),
  "POST /imgF/submit/blend": submit("Blend pictures", { base64Array: [pixel, pixel] }),
  "POST /imgF/submit/describe": submit("Describe a picture", { base64: pixel }),
  "POST /imgF/submit/modal": submit("Say what a waiting task needs", {
    taskId,
    prompt: "more sky",
  }),
  "GET /imgF/task/{id}/fetch": { tag: "imgF", summary: "Read a task", answer: imgFTask },
  "POST /imgF/task/list-by-condition": {
    tag: "imgF",
    summary: "Read several tasks",
    body: { schema: Type.Object({ ids: Type.Array(text()) }), example: { ids: [taskId] } },
    answer: Type.Array(imgFTask),
  },
  "GET /imgF/image/{id}": {
    tag: "imgF",
    summary: "Open a task's picture",
    answer: { type: "image/png", description: "The picture, in its own type." },
  },
};
