// videoE's routes as its vendor has them.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { findVideoFamily, nativeModel, parseNative, renderNative } from "../../families/index.ts";
import type { NativeKind } from "../../families/index.ts";
import { jsonAnswer, type Answer } from "../../gateway/answer.ts";
import { toView } from "../../gateway/video/render.ts";
import type { Caller } from "../../identity/caller.ts";
import type { Task } from "../../tasks/task.ts";
import type { Incoming, KeyRoute } from "../route.ts";
import { answerMade } from "../task/create.ts";
import { nativeCreateEntry, nativeReadEntry } from "../video/entries.ts";
import { inEnvelope, makeVideo, type Ask, type Draft } from "../video/create.ts";
import type { VideoParts } from "../video/parts.ts";
import { answerTask, ownVideo } from "../video/read.ts";

const kinds: readonly NativeKind[] = ["text2video", "image2video"];
const familyName = "video-e";

export function nativeVideoRoutes(parts: VideoParts): KeyRoute[] {
  const key = { policy: "key", carriers: ["bearer"], envelope: "video-e" } as const;
  return kinds.flatMap((kind): KeyRoute[] => [
    {
      ...key,
      isPaid: true,
      method: "POST",
      path: `/videoE/v1/videos/${kind}`,
      entry: nativeCreateEntry(kind),
      serve: (incoming, call) => create(parts, kind, { incoming, call }),
    },
    {
      ...key,
      isPaid: false,
      method: "GET",
      path: `/videoE/v1/videos/${kind}/{id}`,
      entry: nativeReadEntry(kind),
      serve: (incoming, { caller }) => read(parts, incoming, caller),
    },
  ]);
}

async function create(parts: VideoParts, kind: NativeKind, ask: Ask): Promise<Answer> {
  const made = await inEnvelope(null, () =>
    makeVideo(parts, ask, (value) => draftNative(kind, value)),
  );
  return answerMade(made, render(parts, made.task, ask.incoming));
}

function draftNative(kind: NativeKind, value: JsonObject): Draft {
  const model = nativeModel(value);
  const family = findVideoFamily(model);
  if (family?.name !== familyName) {
    throw new GatewayError("model_not_found", { param: "model_name" });
  }
  // Upstreams that take a body as it is look for the model under its common name.
  return { family, parse: () => parseNative(kind, value), body: { ...value, model } };
}

async function read(parts: VideoParts, incoming: Incoming, caller: Caller): Promise<Answer> {
  const task = await ownVideo(parts, incoming, caller);
  if (task.family !== familyName) throw new GatewayError("task_not_found");
  return answerTask(parts, task, jsonAnswer(render(parts, task, incoming)));
}

function render({ linkTo }: VideoParts, task: Task, { scope }: Incoming) {
  return renderNative(toView(task, linkTo, false), scope.requestId);
}
