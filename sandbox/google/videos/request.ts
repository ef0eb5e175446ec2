// Checks the request of a Veo model: what it does not know it refuses, and some things only go
// together.
import type { Json } from "../../../src/core/json.ts";
import { compile, Type, type Static } from "../../../src/core/schema.ts";
import { readMedia } from "../../writer/describe-media.ts";
import { invalid, invalidField } from "../errors.ts";

const closed = { additionalProperties: false } as const;

const imageSchema = Type.Object(
  { bytesBase64Encoded: Type.String({ minLength: 1 }), mimeType: Type.String({ minLength: 1 }) },
  closed,
);

const instanceSchema = Type.Object(
  {
    prompt: Type.Optional(Type.String()),
    image: Type.Optional(imageSchema),
    lastFrame: Type.Optional(imageSchema),
    referenceImages: Type.Optional(
      Type.Array(
        Type.Object(
          {
            image: imageSchema,
            referenceType: Type.Union([Type.Literal("asset"), Type.Literal("style")]),
          },
          closed,
        ),
        { maxItems: 3 },
      ),
    ),
    video: Type.Optional(
      Type.Object(
        {
          uri: Type.Optional(Type.String()),
          encodedVideo: Type.Optional(Type.String()),
          encoding: Type.Optional(Type.String()),
        },
        closed,
      ),
    ),
  },
  closed,
);

const oneOf = <Value extends string | number>(...values: Value[]) =>
  Type.Union(values.map((value) => Type.Literal(value)));

const requestChecker = compile(
  Type.Object(
    {
      instances: Type.Array(instanceSchema, { minItems: 1, maxItems: 1 }),
      parameters: Type.Optional(
        Type.Object(
          {
            aspectRatio: Type.Optional(oneOf("16:9", "9:16")),
            durationSeconds: Type.Optional(oneOf(4, 6, 8)),
            resolution: Type.Optional(oneOf("720p", "1080p", "4k")),
            sampleCount: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
            negativePrompt: Type.Optional(Type.String()),
            personGeneration: Type.Optional(oneOf("allow_all", "allow_adult", "dont_allow")),
            enhancePrompt: Type.Optional(Type.Boolean()),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
);

type Instance = Static<typeof instanceSchema>;

interface VideoAsk {
  prompt: string;
  width: number;
  height: number;
  seconds: number;
}

const defaultSeconds = 8;
const sides: Readonly<Record<string, readonly [long: number, short: number]>> = {
  "720p": [1280, 720],
  "1080p": [1920, 1080],
  "4k": [3840, 2160],
};

export function readVideoAsk(json: Json): VideoAsk {
  if (!requestChecker.is(json)) {
    const [fault] = requestChecker.faults(json);
    const why = fault?.message === "is not known" ? "Unknown name" : "Invalid value";
    const path = fault?.path ?? "";
    throw invalidField(path, `Invalid JSON payload received. ${why} at '${path}'.`);
  }
  const { instances, parameters = {} } = json;
  const [instance = {}] = instances;
  checkInstance(instance);
  const { durationSeconds: seconds = defaultSeconds, resolution = "720p" } = parameters;
  const isFull = resolution !== "720p" || instance.referenceImages || instance.video;
  if (isFull && seconds !== 8) {
    throw invalid("`durationSeconds` must be 8 for this resolution or with these inputs.");
  }
  const [long, short] = sides[resolution] ?? [1280, 720];
  const isUpright = parameters.aspectRatio === "9:16";
  return {
    prompt: instance.prompt ?? "",
    width: isUpright ? short : long,
    height: isUpright ? long : short,
    seconds,
  };
}

function checkInstance({ prompt, image, lastFrame, referenceImages, video }: Instance): void {
  if ((prompt ?? "") === "" && !image && !video) {
    throw invalid("Text prompt or an image is required.");
  }
  if (lastFrame && !image) throw invalid("`lastFrame` needs an `image`.");
  const ways = [image, referenceImages, video].filter((way) => way !== undefined);
  if (ways.length > 1) {
    throw invalid("`image`, `referenceImages` and `video` cannot be used together.");
  }
  const references = referenceImages?.map((reference) => reference.image) ?? [];
  for (const one of [image, lastFrame, ...references]) {
    if (one && readMedia(one.bytesBase64Encoded).type !== one.mimeType) {
      throw invalid("Unable to process input image. Please retry with another one.");
    }
  }
}
