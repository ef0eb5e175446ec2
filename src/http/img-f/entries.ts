// Entries of the reference on the imgF dialect.
import type { BodyEntry, ReferenceEntry } from "../../core/reference-entry.ts";
import { anyObject, anything, text, whole, word } from "../../core/schema-words.ts";
import { Type } from "../../core/schema.ts";
import type { ImgFAction } from "../../families/img-f-job.ts";
import { pixel } from "../image/entries.ts";

const tag = "imgF";

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

function submit(summary: string, example: BodyEntry["example"]): ReferenceEntry {
  return { tag, summary, body: { schema: submission, example }, answer: accepted };
}

/** Entries by the last word of the address. */
export const submitEntries: Record<ImgFAction | "simple-change", ReferenceEntry> = {
  imagine: submit("Imagine", { prompt: "a heron on a weir" }),
  change: submit("Change a picture", { taskId, action: "UPSCALE", index: 1 }),
  "simple-change": submit("Change a picture, in one line", {
    content: `${taskId} U1`,
  }),
  action: submit("Press a button of a task", { taskId, customId: "example" }),
  blend: submit("Blend pictures", { base64Array: [pixel, pixel] }),
  describe: submit("Describe a picture", { base64: pixel }),
  modal: submit("Say what a waiting task needs", {
    taskId,
    prompt: "more sky",
  }),
};

export const imgFEntries = {
  fetch: { tag, summary: "Read a task", answer: imgFTask },
  list: {
    tag,
    summary: "Read several tasks",
    body: { schema: Type.Object({ ids: Type.Array(text()) }), example: { ids: [taskId] } },
    answer: Type.Array(imgFTask),
  },
  image: {
    tag,
    summary: "Open a task's picture",
    answer: { type: "image/png", description: "The picture, in its own type." },
  },
} satisfies Record<string, ReferenceEntry>;
