// Parts of messages and of tool results.
import { compile, type Static, Type } from "../../../src/core/schema.ts";
import { checkKind } from "../check.ts";
import { describeFile, describeImage } from "../media.ts";
import { orNull } from "../schema.ts";

export const closed = { additionalProperties: false };
const breakpoint = { prompt_cache_breakpoint: Type.Optional(Type.Unknown()) };

const inputText = Type.Object(
  { type: Type.Literal("input_text"), text: Type.String(), ...breakpoint },
  closed,
);
const inputImage = Type.Object(
  {
    type: Type.Literal("input_image"),
    image_url: orNull(Type.String()),
    file_id: orNull(Type.String()),
    detail: orNull(Type.Enum(["auto", "low", "high", "original"])),
    ...breakpoint,
  },
  closed,
);
const inputFile = Type.Object(
  {
    type: Type.Literal("input_file"),
    file_data: orNull(Type.String()),
    file_id: orNull(Type.String()),
    file_url: orNull(Type.String()),
    filename: Type.Optional(Type.String()),
    detail: Type.Optional(Type.Enum(["auto", "low", "high"])),
    ...breakpoint,
  },
  closed,
);
const outputText = Type.Object(
  {
    type: Type.Literal("output_text"),
    text: Type.String(),
    annotations: Type.Optional(Type.Array(Type.Unknown())),
    logprobs: orNull(Type.Array(Type.Unknown())),
  },
  closed,
);
const refusal = Type.Object({ type: Type.Literal("refusal"), refusal: Type.String() }, closed);

export type InputPart =
  Static<typeof inputText> | Static<typeof inputImage> | Static<typeof inputFile>;
export type OutputPart = Static<typeof outputText> | Static<typeof refusal>;
export type Part = InputPart | OutputPart;

const inputKinds = {
  input_text: compile(inputText),
  input_image: compile(inputImage),
  input_file: compile(inputFile),
};
const outputKinds = { output_text: compile(outputText), refusal: compile(refusal) };

/** Parts from a user, the developer or a tool. */
export function readInputParts(content: string | unknown[], at: string): InputPart[] {
  if (typeof content === "string") return [{ type: "input_text", text: content }];
  return content.map((part, index) => checkKind<InputPart>(inputKinds, part, `${at}[${index}]`));
}

/** Parts of the model's earlier turns. */
export function readOutputParts(content: string | unknown[], at: string): OutputPart[] {
  if (typeof content === "string") return [writeText(content)];
  return content.map((part, index) => checkKind<OutputPart>(outputKinds, part, `${at}[${index}]`));
}

export function writeText(text: string): OutputPart {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

export function textOfPart(part: Part): string {
  if (part.type === "refusal") return part.refusal;
  return "text" in part ? part.text : "";
}

/** Null for text, which speaks for itself. */
export function describePart(part: Part): string | null {
  if (part.type === "input_image") {
    return part.image_url
      ? describeImage(part.image_url)
      : `the image ${part.file_id ?? "nothing"}`;
  }
  if (part.type !== "input_file") return null;
  const { filename: name, file_data: data, file_url: url, file_id: id } = part;
  return describeFile({ name, data, at: url ?? id });
}
