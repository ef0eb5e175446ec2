// Videos as Google's clients ask for them: a long-running operation that is read until it is done.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import { toVideoView } from "../../gateway/video/render.ts";
import type { Caller } from "../../identity/caller.ts";
import type { Task } from "../../tasks/task.ts";
import { underBothVersions } from "../aliases/google.ts";
import type { Incoming, KeyRoute } from "../route.ts";
import { draftUnified, makeVideo, type CreateVideoNeeds } from "./create.ts";
import { videoEntries as entries } from "./entries.ts";
import { ownVideo, type ReadVideoNeeds } from "./read.ts";
import { linksFor } from "../../gateway/own-links.ts";

export function googleVideoRoutes(creating: CreateVideoNeeds, reading: ReadVideoNeeds): KeyRoute[] {
  const key = { policy: "key", carriers: ["bearer", "google"], envelope: "google" } as const;
  return underBothVersions([
    {
      ...key,
      isPaid: true,
      method: "POST",
      path: "/v1beta/models/{model}:predictLongRunning",
      entry: entries.createForGoogle,
      serve(incoming, call) {
        const model = incoming.params["model"] ?? "";
        return makeVideo(creating, {
          incoming,
          call,
          draft: (value) => ({ ...draftUnified(toUnified(value, model)), envelope: null }),
          render: ({ task }) => jsonAnswer({ name: nameOf(task, model) }),
        });
      },
    },
    {
      ...key,
      isPaid: false,
      method: "GET",
      path: "/v1beta/models/{model}/operations/{id}",
      entry: entries.readForGoogle,
      serve: (incoming, { caller }) => read(reading, incoming, caller),
    },
  ]);
}

async function read(needs: ReadVideoNeeds, incoming: Incoming, caller: Caller): Promise<Answer> {
  const task = await ownVideo(needs.book, incoming, caller);
  const name = nameOf(task, incoming.params["model"] ?? task.model);
  const { status, error, videoUrl } = toVideoView(task, linksFor(needs.media, incoming), false);
  if (status === "failed") {
    const message = error?.message ?? "The video could not be generated.";
    return jsonAnswer({ name, done: true, error: { code: internalCode, message } });
  }
  if (status !== "completed") {
    needs.engine.nudge(task.id);
    return jsonAnswer({ name });
  }
  const generatedSamples = [{ video: { uri: videoUrl } }];
  return jsonAnswer({
    name,
    done: true,
    response: { generateVideoResponse: { generatedSamples } },
  });
}

/** Google's number for an internal error. */
const internalCode = 13;

function nameOf({ id }: Task, model: string): string {
  return `models/${model}/operations/${id}`;
}

/** The vendor's own names, which families read among the parameters of the unified route. */
const passedOn = [
  "resolution",
  "personGeneration",
  "enhancePrompt",
  "generateAudio",
  "seed",
] as const;

function toUnified(body: JsonObject, model: string): JsonObject {
  const instances = Array.isArray(body["instances"]) ? body["instances"] : [];
  const [instance] = instances;
  if (!isObject(instance) || instances.length !== 1) {
    throw invalid("instances", "must be a list of one object");
  }
  const parameters = isObject(body["parameters"]) ? body["parameters"] : {};
  if ((parameters["sampleCount"] ?? 1) !== 1) throw invalid("parameters.sampleCount", "must be 1");
  for (const name of ["lastFrame", "video"]) {
    if (instance[name] !== undefined) {
      throw invalid(`instances.0.${name}`, "cannot be carried to this model");
    }
  }
  const references = Array.isArray(instance["referenceImages"]) ? instance["referenceImages"] : [];
  const images = references.map((reference, at) =>
    toDataUrl(
      isObject(reference) ? reference["image"] : undefined,
      `instances.0.referenceImages.${at}.image`,
    ),
  );
  const metadata = Object.fromEntries(
    passedOn.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name]]])),
  );
  return withoutAbsent({
    model,
    prompt: instance["prompt"],
    image:
      instance["image"] === undefined
        ? undefined
        : toDataUrl(instance["image"], "instances.0.image"),
    images: images.length > 0 ? images : undefined,
    duration: parameters["durationSeconds"],
    size: parameters["aspectRatio"],
    metadata: { ...metadata, ...negative(parameters["negativePrompt"]) },
  });
}

function negative(prompt: Json | undefined): JsonObject {
  return prompt === undefined ? {} : { negative_prompt: prompt };
}

function toDataUrl(image: Json | undefined, param: string): string {
  const data = isObject(image) ? image["bytesBase64Encoded"] : undefined;
  if (!isObject(image) || typeof data !== "string") {
    throw invalid(`${param}.bytesBase64Encoded`, "is required");
  }
  const type = typeof image["mimeType"] === "string" ? image["mimeType"] : "image/png";
  return `data:${type};base64,${data}`;
}

function withoutAbsent(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
