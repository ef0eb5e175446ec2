// Fields of a request for the imgF models, by action. The names are the dialect's.
import type { JsonObject } from "../../core/json.ts";
import type { ImgFAction, ImgFJob } from "../img-f-job.ts";
import {
  isLonger,
  pick,
  readChoice,
  readTextField,
  readWhole,
  textFieldOf,
} from "../kit/fields.ts";
import { invalidValue, missing, oneOf } from "../kit/refuse.ts";
import { readPictures } from "./pictures.ts";

const promptCharactersMax = 8000;
const stateCharactersMax = 2000;
const customIdCharactersMax = 500;
const picturesMax = 5;
const blendRange = { min: 2, max: 5 };
const indexRange = { min: 1, max: 4 };
const taskIdForm = /^[\w-]{1,100}$/;
const changes = ["UPSCALE", "VARIATION", "REROLL"] as const;
const bots = ["MID_JOURNEY", "NIJI_JOURNEY"] as const;
const dimensions = ["PORTRAIT", "SQUARE", "LANDSCAPE"] as const;

/** Readers of each action's own fields, beside those that all of them may have. */
const readers: Readonly<Record<ImgFAction, (body: JsonObject) => Partial<ImgFJob>>> = {
  imagine: (body) => ({
    prompt: required("prompt", readPrompt(body)),
    images: readPictures(body, ["base64Array", "base64"], picturesMax),
  }),
  change: readChange,
  action: (body) => ({
    parentTaskId: readParent(body),
    customId: required("customId", readBounded(body, "customId", customIdCharactersMax)),
  }),
  blend: readBlend,
  describe: (body) => {
    const images = readPictures(body, ["base64", "base64Array"], 1);
    if (images.length === 0) throw missing("base64");
    return { images };
  },
  modal: (body) => ({
    parentTaskId: readParent(body),
    prompt: readPrompt(body),
    mask: readPictures(body, ["maskBase64"], 1)[0] ?? null,
  }),
};

export function parse(action: ImgFAction, body: JsonObject): ImgFJob {
  return {
    action,
    model: modelOf(action),
    prompt: null,
    bot: readChoice(body, ["botType"], bots),
    images: [],
    mask: null,
    dimensions: null,
    parentTaskId: null,
    customId: null,
    change: null,
    index: null,
    state: readBounded(body, "state", stateCharactersMax),
    ...readers[action](body),
  };
}

/** Each action has a price of its own. */
export function modelOf(action: ImgFAction): string {
  return `imgF-${action}`;
}

const shortChanges: ReadonlyMap<string, string> = new Map([
  ["U", "UPSCALE"],
  ["V", "VARIATION"],
  ["R", "REROLL"],
]);
const shortForm = /^(\S{1,100})\s+(?:([UV])([1-4])|(R))$/i;

/** A change in one text, such as "task_1 U2". */
export function parseSimpleChange(body: JsonObject): ImgFJob {
  const content = required("content", readTextField(body, ["content"]));
  const [, taskId, letter, index, reroll] = shortForm.exec(content.trim()) ?? [];
  const action = shortChanges.get((letter ?? reroll ?? "").toUpperCase());
  if (taskId === undefined || action === undefined) {
    throw invalidValue("content", "must be a task's id and U1 to U4, V1 to V4 or R");
  }
  return parse("change", { ...body, taskId, action, index: index ?? null });
}

function readChange(body: JsonObject): Partial<ImgFJob> {
  const parentTaskId = readParent(body);
  const change = readChoice(body, ["action"], changes);
  if (change === null) throw oneOf("action", changes);
  if (change === "REROLL") return { parentTaskId, change };
  const index = readWhole(body, ["index"], indexRange);
  if (index === null) throw missing("index");
  return { parentTaskId, change, index };
}

function readBlend(body: JsonObject): Partial<ImgFJob> {
  const images = readPictures(body, ["base64Array"], blendRange.max);
  if (images.length < blendRange.min) {
    throw invalidValue(
      "base64Array",
      `must have from ${blendRange.min} to ${blendRange.max} images`,
    );
  }
  return { images, dimensions: readChoice(body, ["dimensions"], dimensions) };
}

function readParent(body: JsonObject): string {
  const field = pick(body, ["taskId"]);
  if (field === null) throw missing("taskId");
  const taskId = textFieldOf(field);
  if (!taskIdForm.test(taskId)) throw invalidValue("taskId", "is not the id of a task");
  return taskId;
}

function readPrompt(body: JsonObject): string | null {
  const prompt = readBounded(body, "prompt", promptCharactersMax);
  return prompt?.trim() === "" ? null : prompt;
}

function readBounded(body: JsonObject, name: string, charactersMax: number): string | null {
  const text = readTextField(body, [name]);
  if (text !== null && isLonger(text, charactersMax)) {
    throw invalidValue(name, `is longer than ${charactersMax} characters`);
  }
  return text;
}

function required(param: string, text: string | null): string {
  if (text === null) throw missing(param);
  return text;
}
