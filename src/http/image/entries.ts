// Entries of the reference on images, at once and as tasks.
import type { BodyEntry, ReferenceEntry } from "../../core/reference-entry.ts";
import { anyObject, anything, text, whole, word } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";

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
};
/** Field that a task has no place for. */
const asStream = { stream: Type.Optional(Type.Boolean()) };

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
export const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk" +
  "YPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const generateLater: BodyEntry = {
  schema: generation,
  example: { model: "imageA-2", prompt: "A heron on a weir.", size: "1024x1024" },
  isForm: true,
};
const changeLater: BodyEntry = {
  schema: edit,
  example: { model: "imageA-2", prompt: "Make it blue.", image: pixel },
  isForm: true,
};

const generate = {
  ...generateLater,
  schema: Type.Object({ ...generation.properties, ...asStream }),
};
const change = { ...changeLater, schema: Type.Object({ ...edit.properties, ...asStream }) };

const streamed = {
  tag,
  isStreamed: true,
  description: "With `stream: true` a stream of OpenAI's image events.",
} as const;

export const imageEntries = {
  generate: { ...streamed, summary: "Create images", body: generate, answer: images },
  edit: { ...streamed, summary: "Edit images", body: change, answer: images },
  editOlder: {
    ...streamed,
    summary: "Edit images (older address)",
    body: change,
    answer: images,
  },
  generateTask: {
    tag,
    summary: "Create images as a task",
    body: generateLater,
    answer: task,
  },
  readTask: { tag, summary: "Read an image task", answer: task },
  editTask: {
    tag,
    summary: "Edit images as a task",
    body: changeLater,
    answer: task,
  },
} satisfies Record<string, ReferenceEntry>;
