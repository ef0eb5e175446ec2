// videoE's routes as its vendor has them.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { findVideoFamily, nativeModel, parseNative, renderNative } from "../../families/index.ts";
import type { NativeKind } from "../../families/index.ts";
import { askedAs } from "../../families/model-names.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import { answerCreated } from "../../gateway/task/create-task.ts";
import { toVideoView } from "../../gateway/video/render.ts";
import type { Caller } from "../../identity/caller.ts";
import type { MediaStore } from "../../media/media.ts";
import type { Task } from "../../tasks/task.ts";
import type { Incoming, KeyRoute } from "../route.ts";
import { makeVideo, type CreateVideoNeeds, type Draft } from "../video/create.ts";
import { nativeCreateEntry, nativeReadEntry } from "../video/entries.ts";
import { answerTask, ownVideo, type ReadVideoNeeds } from "../video/read.ts";
import { unknownModel } from "../../gateway/unknown-model.ts";
import { linksFor } from "../../gateway/own-links.ts";

const kinds: readonly NativeKind[] = ["text2video", "image2video"];
const familyName = "video-e";

export function nativeVideoRoutes(creating: CreateVideoNeeds, reading: ReadVideoNeeds): KeyRoute[] {
  const key = { policy: "key", carriers: ["bearer"], envelope: "video-e" } as const;
  return kinds.flatMap((kind): KeyRoute[] => [
    {
      ...key,
      isPaid: true,
      method: "POST",
      path: `/videoE/v1/videos/${kind}`,
      entry: nativeCreateEntry(kind),
      serve: (incoming, call) =>
        makeVideo(creating, {
          incoming,
          call,
          draft: (value) => draftNative(kind, value),
          render: (created) =>
            answerCreated(created, render(created.task, creating.media, incoming)),
        }),
    },
    {
      ...key,
      isPaid: false,
      method: "GET",
      path: `/videoE/v1/videos/${kind}/{id}`,
      entry: nativeReadEntry(kind),
      serve: (incoming, { caller }) => read(reading, incoming, caller),
    },
  ]);
}

function draftNative(kind: NativeKind, value: JsonObject): Draft {
  const model = nativeModel(value);
  const family = findVideoFamily(model);
  if (family?.name !== familyName) {
    throw unknownModel({ model, wanted: "video", param: "model_name" });
  }
  // Upstreams that take a body as it is look for the model under its common name.
  const body = { ...value, model };
  return { family, envelope: null, parse: () => askedAs(parseNative(kind, value), model), body };
}

async function read(needs: ReadVideoNeeds, incoming: Incoming, caller: Caller): Promise<Answer> {
  const task = await ownVideo(needs.book, incoming, caller);
  if (task.family !== familyName) throw new GatewayError("task_not_found");
  return answerTask(needs, task, jsonAnswer(render(task, needs.media, incoming)));
}

function render(task: Task, media: MediaStore, incoming: Incoming) {
  return renderNative(
    toVideoView(task, linksFor(media, incoming), false),
    incoming.scope.requestId,
  );
}
