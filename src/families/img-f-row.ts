// A job of imgF as it is kept with its task: everything but the bytes of its pictures, which the
// vendor has.
import type { JsonObject } from "../core/json.ts";
import { compile, Type } from "../core/schema.ts";
import { imgFActions, type ImgFJob } from "./img-f-job.ts";

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const row = compile(
  Type.Object({
    action: Type.Enum([...imgFActions]),
    model: Type.String(),
    prompt: orNull(Type.String()),
    bot: orNull(Type.Enum(["MID_JOURNEY", "NIJI_JOURNEY"])),
    images: Type.Array(Type.String()),
    mask: orNull(Type.String()),
    dimensions: orNull(Type.Enum(["PORTRAIT", "SQUARE", "LANDSCAPE"])),
    parentTaskId: orNull(Type.String()),
    customId: orNull(Type.String()),
    change: orNull(Type.Enum(["UPSCALE", "VARIATION", "REROLL"])),
    index: orNull(Type.Number()),
    state: orNull(Type.String()),
  }),
);

export function toImgFRow(job: ImgFJob): JsonObject {
  return { ...job, images: job.images.map(() => ""), mask: job.mask === null ? null : "" };
}

export function readImgFRow(kept: JsonObject): ImgFJob {
  if (!row.is(kept)) throw new TypeError("a task's row does not hold a job of imgF");
  return kept;
}
