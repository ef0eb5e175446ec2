// Fields that the proxy takes at each of its addresses; anything else is refused.
import { type Checker, compile, Type } from "../../src/core/schema.ts";
import { codes, Refusal } from "./errors.ts";

const text = Type.String({ minLength: 1 });
const every = {
  state: Type.Optional(Type.String()),
  notifyHook: Type.Optional(Type.String()),
  botType: Type.Optional(Type.Enum(["MID_JOURNEY", "NIJI_JOURNEY"])),
};
const closed = { additionalProperties: false } as const;

const Imagine = Type.Object(
  { ...every, prompt: text, base64Array: Type.Optional(Type.Array(text, { maxItems: 5 })) },
  closed,
);
const Change = Type.Object(
  {
    ...every,
    taskId: text,
    action: Type.Enum(["UPSCALE", "VARIATION", "REROLL"]),
    index: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
  },
  closed,
);
const Action = Type.Object({ ...every, taskId: text, customId: text }, closed);
const Blend = Type.Object(
  {
    ...every,
    base64Array: Type.Array(text, { minItems: 2, maxItems: 5 }),
    dimensions: Type.Enum(["PORTRAIT", "SQUARE", "LANDSCAPE"]),
  },
  closed,
);
const Describe = Type.Object({ ...every, base64: text }, closed);
const Modal = Type.Object(
  {
    ...every,
    taskId: text,
    prompt: Type.Optional(Type.String()),
    maskBase64: Type.Optional(text),
  },
  closed,
);

const checkers = {
  imagine: compile(Imagine),
  change: compile(Change),
  action: compile(Action),
  blend: compile(Blend),
  describe: compile(Describe),
  modal: compile(Modal),
} as const;

export type Action = keyof typeof checkers;

export function isAction(name: string): name is Action {
  return Object.hasOwn(checkers, name);
}

export const read = {
  imagine: (json: unknown) => checked(checkers.imagine, json),
  change: (json: unknown) => checked(checkers.change, json),
  action: (json: unknown) => checked(checkers.action, json),
  blend: (json: unknown) => checked(checkers.blend, json),
  describe: (json: unknown) => checked(checkers.describe, json),
  modal: (json: unknown) => checked(checkers.modal, json),
};

function checked<Value>(checker: Checker<Value>, json: unknown): Value {
  if (checker.is(json)) return json;
  const [fault = { path: "", message: "is not valid" }] = checker.faults(json);
  throw new Refusal(codes.invalid, `${fault.path === "" ? "body" : fault.path} ${fault.message}`);
}

const dataUri = /^data:image\/[a-z]+;base64,[A-Za-z0-9+/]+={0,2}$/;

/** Pictures are data URIs and nothing else. */
export function checkPictures(pictures: readonly string[]): void {
  if (pictures.every((one) => dataUri.test(one))) return;
  throw new Refusal(codes.invalid, "base64 is malformed");
}
