// Jobs at the proxy. An operation is the id that it gave to the task.
import { heardFault } from "../heard-fault.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { ImgFJob } from "../../families/img-f-job.ts";
import { lowered } from "../kit/headers.ts";
import { idOf, isSuccess, partOf, textOf } from "../kit/vendor-reply.ts";
import { takenBody } from "../kit/video-reply.ts";
import { VendorRefusal, type Address, type ImgFCall, type ImgFProgress } from "../upstream.ts";
import { isRefusal, readFault } from "./errors.ts";
import { toBody } from "./request.ts";

const codes = [1, 21, 22] as const;

interface Started {
  operation: string;
  code: (typeof codes)[number];
}

export async function start(job: ImgFJob, call: ImgFCall): Promise<Started> {
  const address = addressOf(call, `/submit/${job.action}`);
  const reply = await call.send({ method: "POST", address, body: toBody(job, call) });
  const body = takenBody(reply, readFault);
  if (isRefusal(body["code"])) {
    const { status, headers } = reply;
    throw new VendorRefusal(heardFault(readFault(status, headers, body), status, headers));
  }
  const code = codes.find((known) => known === body["code"]);
  const operation = idOf(body["result"]);
  // Neither taken nor refused: it may have begun.
  if (code === undefined || operation === null) {
    throw new Error("the upstream's answer names no task");
  }
  return { operation, code };
}

export async function status(operation: string, call: ImgFCall): Promise<ImgFProgress> {
  const address = addressOf(call, `/task/${encodeURIComponent(operation)}/fetch`);
  const reply = await call.send({ method: "GET", address });
  return readProgress(takenBody(reply, readFault));
}

/** The newest tasks, by the note that was sent along. */
export async function find(call: ImgFCall): Promise<string | null> {
  const reply = await call.send({ method: "GET", address: addressOf(call, "/task/list") });
  if (!isSuccess(reply) || !Array.isArray(reply.json)) {
    throw new Error(`the upstream does not list its tasks: status ${reply.status}`);
  }
  const task = reply.json.filter(isObject).find(({ state }) => state === call.taskId);
  return idOf(task?.["id"]);
}

/** Operators paste a base URL with and without the last part; what is before it is a mode. */
function addressOf({ target: { baseUrl, key, headers } }: ImgFCall, path: string): Address {
  const root = baseUrl.replace(/\/$/, "").replace(/\/mj$/, "");
  return { url: `${root}/mj${path}`, headers: { ...lowered(headers), "mj-api-secret": key } };
}

const kinds: ReadonlyMap<unknown, ImgFProgress["kind"]> = new Map<unknown, ImgFProgress["kind"]>([
  ["SUCCESS", "completed"],
  ["FAILURE", "failed"],
  ["CANCEL", "failed"],
  ["MODAL", "modal"],
]);
/** Actions that end in words instead of a picture. */
const wordActions = new Set<unknown>(["DESCRIBE", "SHORTEN"]);
/** The others tell of the vendor's own accounts and of whom it calls back. */
const shownProperties = ["finalPrompt", "finalZhPrompt"];

/** Words that are not known mean that it goes on. */
function readProgress(task: JsonObject): ImgFProgress {
  const kind = kinds.get(task["status"]) ?? "pending";
  const url = textOf(task["imageUrl"]);
  if (kind === "completed" && url === null && !wordActions.has(task["action"])) {
    throw new Error("the upstream's finished task has no image");
  }
  return {
    kind,
    progress: percentOf(task["progress"]),
    result: kind === "completed" && url !== null ? { kind: "url", url, headers: {} } : null,
    failReason: kind === "failed" ? textOf(task["failReason"]) : null,
    promptEn: textOf(task["promptEn"]),
    description: textOf(task["description"]),
    buttons: Array.isArray(task["buttons"]) ? task["buttons"].filter(isObject) : [],
    properties: readProperties(partOf(task, "properties")),
  };
}

function percentOf(progress: Json | undefined): number | null {
  const [, digits] = /^(\d{1,3})(?:\.\d+)?%?$/.exec(textOf(progress) ?? "") ?? [];
  return digits === undefined ? null : Math.min(100, Number(digits));
}

function readProperties(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    shownProperties.flatMap((name): [string, string][] => {
      const text = textOf(properties[name]);
      return text === null ? [] : [[name, text]];
    }),
  );
}
