// A job as it is kept with its task: everything but the bytes of its media, which the vendor has.
import type { Json, JsonObject } from "../core/json.ts";
import { compile, Type } from "../core/schema.ts";
import type { VideoJob } from "./video-job.ts";

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const Source = Type.Union([
  Type.Object({ kind: Type.Literal("url"), url: Type.String() }),
  Type.Object({ kind: Type.Literal("bytes"), type: Type.String(), base64: Type.String() }),
  Type.Object({ kind: Type.Literal("asset"), id: Type.String() }),
]);

const Media = Type.Object({
  kind: Type.Union([Type.Literal("image"), Type.Literal("video"), Type.Literal("audio")]),
  role: Type.Union([
    Type.Literal("first-frame"),
    Type.Literal("last-frame"),
    Type.Literal("reference"),
    Type.Literal("source"),
  ]),
  source: Source,
  param: Type.String(),
});

const jobRow = compile(
  Type.Object({
    model: Type.String(),
    asked: Type.Optional(Type.String()),
    prompt: Type.String(),
    negativePrompt: orNull(Type.String()),
    seconds: orNull(Type.Number()),
    size: orNull(Type.Object({ width: Type.Number(), height: Type.Number() })),
    ratio: orNull(Type.String()),
    resolution: orNull(Type.String()),
    tier: orNull(Type.Union([Type.Literal("normal"), Type.Literal("pro")])),
    audio: orNull(Type.Boolean()),
    watermark: orNull(Type.Boolean()),
    seed: orNull(Type.Number()),
    media: Type.Array(Media),
    extras: Type.Record(Type.String(), Type.Unsafe<Json>({})),
  }),
);

export function toJobRow(job: VideoJob): JsonObject {
  const media = job.media.map(({ source, ...rest }) => ({
    ...rest,
    source: source.kind === "bytes" ? { ...source, base64: "" } : { ...source },
  }));
  return { ...job, media };
}

export function readJob(row: JsonObject): VideoJob {
  if (!jobRow.is(row)) throw new TypeError("a task's row does not hold a job");
  return row;
}
