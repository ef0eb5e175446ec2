// Entries of the reference on videos. Each family checks its own fields; those here are the ones
// they have in common.
import type { BodyEntry, ReferenceEntry } from "../../core/reference-entry.ts";
import { anyObject, orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import type { NativeKind } from "../../families/index.ts";

const tag = "Videos";
const status = word("queued", "in_progress", "completed", "failed");
const model = text("A video model, such as videoA_3_1.");

const commonTask = Type.Object({
  id: text(),
  task_id: text("The same as id."),
  object: Type.Literal("video"),
  model: text("The model that is used."),
  status,
  progress: Type.Number({ minimum: 0, maximum: 100 }),
  created_at: whole("Unix seconds."),
  completed_at: Type.Optional(whole("Unix seconds; 0 while there is none.")),
  video_url: Type.Optional(text("Empty until it is completed; the link expires.")),
  duration: Type.Optional(Type.Number()),
  seconds: Type.Optional(text()),
  size: Type.Optional(text()),
  error: Type.Optional(Type.Object({ message: text(), code: text() })),
});

/** The task in the shape of videoC 2.0. */
const ownTask = Type.Object({
  id: text(),
  object: Type.Literal("video"),
  created: whole("Unix seconds."),
  model: text(),
  status,
  video_url: Type.Optional(text()),
  actualDuration: Type.Optional(whole()),
  totalTokens: Type.Optional(whole()),
  error: Type.Optional(text()),
});

const task = Type.Union([commonTask, ownTask]);

const media = Type.Unsafe<unknown>({
  type: ["string", "array", "object"],
  description: "A URL, a data URI, base64, or several; files of a form.",
});

const request = Type.Object({
  model,
  prompt: Type.Optional(text()),
  seconds: Type.Optional(Type.Unsafe<unknown>({ type: ["string", "number"] })),
  size: Type.Optional(text("Such as 1280x720.")),
  input_reference: Type.Optional(media),
  webhook_url: Type.Optional(text("Told when the task has ended.")),
});

const unified = Type.Object({
  model,
  prompt: Type.Optional(text()),
  image: Type.Optional(media),
  images: Type.Optional(Type.Array(text())),
  duration: Type.Optional(Type.Number()),
  size: Type.Optional(text()),
  metadata: Type.Optional(anyObject),
  webhook_url: Type.Optional(text()),
});

const native = Type.Object({
  model_name: Type.Optional(text()),
  prompt: Type.Optional(text()),
  image: Type.Optional(text()),
  image_tail: Type.Optional(text()),
  duration: Type.Optional(Type.Unsafe<unknown>({ type: ["string", "number"] })),
  aspect_ratio: Type.Optional(text()),
  mode: Type.Optional(text()),
});

const nativeTask = Type.Object({
  code: Type.Literal(0),
  message: text(),
  request_id: text(),
  data: Type.Object({
    task_id: text(),
    task_status: word("submitted", "processing", "succeed", "failed"),
    task_status_msg: text(),
    created_at: whole("Milliseconds."),
    updated_at: whole("Milliseconds."),
    task_result: Type.Optional(anyObject),
  }),
});

const operation = Type.Object({
  name: text(),
  done: Type.Optional(Type.Boolean()),
  response: Type.Optional(anyObject),
  error: Type.Optional(anyObject),
});

const prompt = "A heron takes off from a weir.";
const create: BodyEntry = {
  schema: request,
  example: { model: "videoA_3_1-fast", prompt },
  isForm: true,
};

const nativeExamples: Readonly<Record<NativeKind, BodyEntry["example"]>> = {
  text2video: { prompt, duration: "5" },
  image2video: { prompt, image: "https://example.com/heron.png" },
};

export function nativeCreateEntry(kind: NativeKind): ReferenceEntry {
  const summary = `videoE's ${kind}, as its vendor has it`;
  const example = nativeExamples[kind];
  return { tag, summary, body: { schema: native, example }, answer: nativeTask };
}

export function nativeReadEntry(kind: NativeKind): ReferenceEntry {
  return { tag, summary: `Read a task of ${kind}`, answer: nativeTask };
}

export const videoEntries = {
  create: {
    tag,
    summary: "Create a video",
    description:
      "Each family of models has fields of its own: docs/families.md. The same " +
      "`Idempotency-Key` within 24 hours gives the same task. It is charged when it is done.",
    body: create,
    answer: task,
  },
  list: {
    tag,
    summary: "List the key's videos",
    query: {
      limit: { schema: Type.Integer({ minimum: 1, maximum: 100 }) },
      order: { schema: word("asc", "desc") },
      after: { schema: text(), description: "The last id of the page before." },
      idempotency_key: { schema: text(), description: "The one that was made under this key." },
    },
    answer: Type.Object({
      object: Type.Literal("list"),
      data: Type.Array(task),
      has_more: Type.Boolean(),
      first_id: orNull(text()),
      last_id: orNull(text()),
    }),
  },
  read: { tag, summary: "Read a video's task", answer: task },
  remove: {
    tag,
    summary: "Delete a video, or cancel one that is not done",
    answer: Type.Object({
      id: text(),
      object: Type.Literal("video.deleted"),
      deleted: Type.Literal(true),
    }),
  },
  content: {
    tag,
    summary: "Download a video",
    query: { variant: { schema: word("video", "thumbnail", "spritesheet") } },
    answer: { type: "video/mp4", description: "The file; parts of it by `Range`." },
  },
  events: {
    tag,
    summary: "Follow a video's task",
    answer: { type: "text/event-stream", description: "`{type, data}` at each change." },
  },
  createUnified: {
    tag,
    summary: "Create a video, in fields that are the same for every family",
    body: { schema: unified, example: { model: "videoA_3_1-fast", prompt }, isForm: true },
    answer: commonTask,
  },
  createForGoogle: {
    tag,
    summary: "Create a video, as Google's clients do",
    body: {
      schema: Type.Object({
        instances: Type.Array(anyObject),
        parameters: Type.Optional(anyObject),
      }),
      example: { instances: [{ prompt }], parameters: { durationSeconds: 8 } },
    },
    answer: operation,
  },
  readForGoogle: {
    tag,
    summary: "Read a video's operation, as Google's clients do",
    answer: operation,
  },
} satisfies Record<string, ReferenceEntry>;
