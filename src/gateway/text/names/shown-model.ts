// The names of a request's model: as the client wrote it, as rules see it, and as replies carry it.
import type { TextRequest } from "../../../formats/format.ts";
import type { OpenCall } from "../../open-call.ts";
import type { ServedText } from "../judge-text.ts";
import type { TextJob } from "../text-job.ts";

export type ReplyModel = "asked" | "served";

/** Resolve the key's own name for a model, before anything else looks at it. */
export function resolveName(call: OpenCall, request: TextRequest): void {
  const model = call.caller.ownNames?.resolve(request.model) ?? request.model;
  if (model === request.model) return;
  call.askedModel = request.model;
  request.model = model;
}

/** Null where the reply names the model that served; `usual` where no virtual model says. */
export function shownModelOf(usual: ReplyModel, { chain, input }: TextJob): string | null {
  const { call } = input;
  const rule = chain?.virtual.replyModel ?? usual;
  return rule === "asked" ? (call.askedModel ?? call.model) : null;
}

/** The same where the reply passes as it came: a converted one has the name already. */
export function passedName(
  usual: ReplyModel,
  job: TextJob,
  { spoken }: Pick<ServedText, "spoken">,
): string | null {
  return spoken === job.input.format.name ? shownModelOf(usual, job) : null;
}

const printable = /^[\x21-\x7e]+$/;

/** Tell the model that served, wherever it is not the one that was asked for. */
export function tellModel(headers: Record<string, string>, { input, request }: TextJob): void {
  const { askedModel, chain } = input.call;
  if (askedModel === null && chain === null) return;
  if (printable.test(request.model)) headers["x-sluice-model"] = request.model;
}
