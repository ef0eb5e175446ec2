// Images, from a parsed body to an answer: read, find channels, price, hold, attempt, deliver,
// settle. What is charged is what the client gets.
import { invalid, toGatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ImageFamily } from "../../families/image-family.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { findImageFamily, imageModel, shownModel } from "../../families/index.ts";
import { askedAs, namesOf } from "../../families/model-names.ts";
import { mediaPriceText } from "../../quota/media-price.ts";
import type { Answer } from "../answer.ts";
import { attemptChannels } from "../attempt.ts";
import type { ServedAttempt } from "../served-attempt.ts";
import { Disconnect } from "../stream/read-on.ts";
import { answerImages, answerStream } from "./answer-image.ts";
import type { Delivery } from "./deliver.ts";
import type { ImageInput, ImageNeeds, ImageWork } from "./image-work.ts";
import { openImage } from "./open-image.ts";
import { voidImage } from "./settle-image.ts";
import { tryImage, type ServedImages } from "./try-image.ts";
import { unknownModel } from "../unknown-model.ts";

export async function serveImage(needs: ImageNeeds, input: ImageInput): Promise<Answer> {
  let work: ImageWork | null = null;
  try {
    const family = findFamily(input);
    const job = parseImage(family, input);
    input.call.model = shownModel(job);
    await input.call.askFor(namesOf(job));
    work = await open(needs, input, { family, job });
    input.call.stream = job.stream;
    return await answer(needs, work, await attempt(needs, work));
  } catch (error) {
    const shown = toGatewayError(error);
    // Not awaited: the request's record has to be decided in the same step.
    if (work?.reservation.state === "open") void voidImage(needs.ledger, work, shown);
    work?.disconnect.settled();
    throw shown;
  }
}

/** Throws the 400 of a model that is missing, or the 503 of one that nobody knows. */
export function findFamily({ kind, body }: Pick<ImageInput, "kind" | "body">): ImageFamily {
  const model = imageModel(body, kind);
  if (model === "") throw invalid("model", "is required");
  const family = findImageFamily(model);
  if (!family) throw unknownModel({ model, wanted: "image" });
  return family;
}

/** The job, which knows by what name it was asked for. */
export function parseImage(
  family: ImageFamily,
  { kind, isForm, body }: Pick<ImageInput, "kind" | "isForm" | "body">,
): ImageJob {
  return askedAs(family.parse(body, { kind, isForm }), imageModel(body, kind));
}

async function open(
  needs: ImageNeeds,
  input: ImageInput,
  { family, job }: { family: ImageFamily; job: ImageJob },
): Promise<ImageWork> {
  const { body, call } = input;
  const { caller } = call;
  const opened = await openImage(needs.opening, { family, job, body, caller, label: call.label });
  const { account, key, caps, shortageWords, micros, price } = opened;
  const ask = {
    id: call.scope.requestId,
    account,
    key,
    caps,
    shortageWords,
    group: caller.group,
    model: shownModel(job),
    micros,
    price: mediaPriceText(price),
    lower: job.count > 1 ? "n" : null,
    whereabouts: call,
  };
  const reservation = needs.ledger.tryAdmit(ask) ?? (await needs.ledger.admit(ask));
  const delivery = deliveryOf(family, job, body);
  const disconnect = new Disconnect(needs.readOn, call.scope.signal, call);
  return { input, job, delivery, opened, reservation, disconnect };
}

/**
 * The delivery that the client asked for. Where it said nothing, links: but by the vendor's own
 * names base64, as the vendor has it, and for edits both, since clients that cannot say it read
 * base64 there.
 */
export function deliveryOf(
  { isWithoutLinks }: ImageFamily,
  { delivery, kind, stream }: ImageJob,
  { model }: JsonObject,
): Delivery {
  if (delivery !== null) return delivery;
  if (stream || (typeof model === "string" && isWithoutLinks?.(model))) return "b64_json";
  return kind === "edit" ? "both" : "url";
}

function attempt(needs: ImageNeeds, work: ImageWork): Promise<ServedAttempt<ServedImages>> {
  return attemptChannels(needs.attempts, work.opened.candidates, work.input.call, (choice) =>
    tryImage(needs.trying, work, choice),
  );
}

async function answer(
  needs: ImageNeeds,
  work: ImageWork,
  attempted: ServedAttempt<ServedImages>,
): Promise<Answer> {
  const { value: served } = attempted;
  if (served.kind === "made") return await answerImages(needs, work, { attempted, served });
  // A stream shows something before it is settled, so its hold must be safe by then.
  await work.reservation.written;
  return answerStream(needs, work, { attempted, served });
}
