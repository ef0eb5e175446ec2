// Videos, the files they refer to, and what is kept of them. Each family checks its own fields;
// what stands here is what they have in common.
import { Type } from "../../../core/schema.ts";
import {
  anyObject,
  orNull,
  text,
  whole,
  word,
  type Body,
  type Operation,
  type Operations,
} from "../operation.ts";

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

/** As videoC 2.0 shows it. */
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
const picture = "https://example.com/heron.png";
const create: Body = {
  schema: request,
  example: { model: "videoA_3_1-fast", prompt },
  isForm: true,
};

function nativeOperations(kind: string, example: Body["example"]): [string, Operation][] {
  const path = `/videoE/v1/videos/${kind}`;
  const summary = `videoE's ${kind}, as its vendor has it`;
  return [
    [`POST ${path}`, { tag, summary, body: { schema: native, example }, answer: nativeTask }],
    [`GET ${path}/{id}`, { tag, summary: `Read a task of ${kind}`, answer: nativeTask }],
  ];
}

export const videoOperations: Operations = {
  "POST /v1/videos": {
    tag,
    summary: "Create a video",
    description:
      "Each family of models has fields of its own: docs/families.md. The same " +
      "`Idempotency-Key` within 24 hours gives the same task. It is charged when it is done.",
    body: create,
    answer: task,
  },
  "GET /v1/videos": {
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
  "GET /v1/videos/{id}": { tag, summary: "Read a video's task", answer: task },
  "DELETE /v1/videos/{id}": {
    tag,
    summary: "Delete a video, or cancel one that is not done",
    answer: Type.Object({
      id: text(),
      object: Type.Literal("video.deleted"),
      deleted: Type.Literal(true),
    }),
  },
  "GET /v1/videos/{id}/content": {
    tag,
    summary: "Download a video",
    query: { variant: { schema: word("video", "thumbnail", "spritesheet") } },
    answer: { type: "video/mp4", description: "The file; parts of it by `Range`." },
  },
  "GET /v1/videos/{id}/events": {
    tag,
    summary: "Follow a video's task",
    answer: { type: "text/event-stream", description: "`{type, data}` at each change." },
  },
  "POST /v1/video/generations": {
    tag,
    summary: "Create a video, in fields that are the same for every family",
    body: { schema: unified, example: { model: "videoA_3_1-fast", prompt }, isForm: true },
    answer: commonTask,
  },
  "GET /v1/video/generations/{id}": { tag, summary: "Read a video's task", answer: task },
  ...Object.fromEntries([
    ...nativeOperations("text2video", { prompt, duration: "5" }),
    ...nativeOperations("image2video", { prompt, image: picture }),
  ]),
  "POST /v1beta/models/{model}:predictLongRunning": {
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
  "GET /v1beta/models/{model}/operations/{id}": {
    tag,
    summary: "Read a video's operation, as Google's clients do",
    answer: operation,
  },
};

const asset = Type.Object({
  ResponseMetadata: Type.Object({ RequestId: text(), Action: text() }),
  Result: Type.Object({
    Id: text("Named as asset://<Id> in videos."),
    Name: text(),
    URL: text(),
    AssetType: word("image", "video", "audio"),
    Status: word("Processing", "Active", "Failed"),
    Error: Type.Optional(Type.Object({ Code: text(), Message: text() })),
    CreateTime: text(),
    UpdateTime: text(),
  }),
});

export const mediaOperations: Operations = {
  "POST /api/asset/createMedia": {
    tag: "Assets",
    summary: "Register a file for videos",
    body: {
      schema: Type.Object({
        url: text("A public http or https address."),
        name: Type.Optional(text()),
        assetType: word("image", "video", "audio"),
      }),
      example: { url: picture, name: "heron", assetType: "image" },
    },
    answer: asset,
  },
  "GET /api/asset/get": {
    tag: "Assets",
    summary: "Read a registered file",
    query: { id: { schema: text("The bare id."), isRequired: true } },
    answer: asset,
  },
  "GET /media/{id}": {
    tag: "Assets",
    summary: "Open a result by its signed link",
    query: {
      expires: { schema: whole("Unix seconds."), isRequired: true },
      signature: { schema: text(), isRequired: true },
    },
    answer: { type: "application/octet-stream", description: "The file, in its own type." },
  },
};
