// The answer with the pictures: JSON, events that are made of it, or the vendor's own events passed
// on. It begins, or of a stream ends, when what it costs is written.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { zeroMicros } from "../../core/money.ts";
import { encodeEvent } from "../../core/sse.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { tellBill } from "../bill.ts";
import { tellBudget } from "../payer.ts";
import { jsonAnswer, leftAnswer, type Answer } from "../answer.ts";
import type { MediaStore } from "../../media/media.ts";
import type { ServedAttempt } from "../served-attempt.ts";
import { kindOfEnd } from "../outcome.ts";
import { Relay, type StreamEnd } from "../stream/relay.ts";
import type { HeldTexts } from "./held/texts.ts";
import type { ImageNeeds, ImageWork } from "./image-work.ts";
import type { ServedStream } from "./open-stream.ts";
import { renderEvents, renderImages, type RenderImages } from "./render-image.ts";
import { settleImage, type DeliveredImages } from "./settle-image.ts";
import type { ServedImages, ServedMade } from "./try-image.ts";
import { jsonPieces } from "./held/write-json.ts";
import { PiecesSource } from "../stream/pieces-source.ts";

interface Attempted<Served> {
  attempted: ServedAttempt<ServedImages>;
  served: Served;
}

export async function answerImages(
  needs: ImageNeeds,
  work: ImageWork,
  { attempted, served }: Attempted<ServedMade>,
): Promise<Answer> {
  const { made: images } = served;
  const { scope, caller, limitHeaders } = work.input.call;
  const { disconnect } = work;
  attempted.release();
  const { isLeft } = disconnect;
  let charged = zeroMicros;
  try {
    charged = await settleImage(needs, work, {
      channel: attempted.channel,
      came: { images: images.pictures.length, usage: images.usage },
      kind: isLeft ? "client_abort" : "ok",
      isWhole: !disconnect.isUnheard,
      error: isLeft ? new GatewayError("client_closed_request") : null,
      firstByteMs: needs.clock.monotonicMs() - scope.startedAtMs,
    });
  } catch (error) {
    await forget(needs.trying.delivering.media, served);
    throw error;
  }
  disconnect.settled();
  if (!isLeft) {
    const headers = { ...limitHeaders };
    tellBill(headers, { charged, saved: zeroMicros });
    tellBudget(headers, caller, work.reservation.caps);
    return await answerMade(served, work.job, { headers, render: work.input.render });
  }
  await forget(needs.trying.delivering.media, served);
  return leftAnswer;
}

interface MadeAnswer {
  headers: Readonly<Record<string, string>>;
  render?: RenderImages | undefined;
}

/** Answer with JSON, or with the events that a stream of it would have ended with. */
export async function answerMade(
  { made: images, held }: ServedMade,
  { stream, kind }: Pick<ImageJob, "stream" | "kind">,
  { headers, render = renderImages }: MadeAnswer,
): Promise<Answer> {
  const ended = () => held.drop();
  if (stream) {
    const body = new PiecesSource(eventPieces(renderEvents(images, kind), held), { ended });
    return { status: 200, contentType: "text/event-stream", headers, body };
  }
  const json = render(images);
  if (images.pictures.some(({ base64 }) => base64 !== null && held.find(base64))) {
    const body = new PiecesSource(jsonPieces(json, held), { ended });
    return { status: 200, contentType: "application/json", headers, body };
  }
  await held.drop();
  return { ...jsonAnswer(json), headers };
}

/** Nobody will ask for the pictures of a request that failed at its end. */
async function forget(media: MediaStore, { made: images, held }: ServedMade): Promise<void> {
  await held.drop();
  for (const { mediaId } of images.pictures) if (mediaId !== null) await media.remove(mediaId);
}

const encoder = new TextEncoder();
const blankLine = encoder.encode("\n\n");

async function* eventPieces(
  events: readonly JsonObject[],
  held: HeldTexts,
): AsyncIterable<Uint8Array> {
  for (const event of events) {
    yield encoder.encode(`event: ${String(event["type"])}\ndata: `);
    yield* jsonPieces(event, held);
    yield blankLine;
  }
}

export function answerStream(
  needs: ImageNeeds,
  work: ImageWork,
  { attempted, served }: Attempted<ServedStream>,
): Answer {
  const { pump, first, abort } = served;
  const { scope, limitHeaders: headers } = work.input.call;
  const { deadlines, rules } = needs.trying.running;
  const { timeouts } = attempted.channel.settings;
  const firstByteMs = needs.clock.monotonicMs() - scope.startedAtMs;
  const { disconnect } = work;
  const body = new Relay({
    pump,
    first,
    abort,
    disconnect,
    deadlines,
    stallMs: timeouts.stallMs ?? rules.callMs,
    totalMs: timeouts.totalMs ?? rules.callMs * work.job.count,
    isSpent: () => false,
    encodeError,
    async settle(end) {
      if (end.kind === "broken") attempted.broke(needs.clock.monotonicMs(), end.error);
      attempted.release();
      const came = cameOf(served, end);
      const error = end.kind === "broken" ? end.error : null;
      const kind = kindOfEnd(end);
      const isWhole = end.kind !== "client_abort" || end.isRead;
      const { channel } = attempted;
      const settled = settleImage(needs, work, {
        channel,
        came,
        kind,
        isWhole,
        error,
        firstByteMs,
      });
      await settled.finally(() => disconnect.settled());
    },
  });
  if (disconnect.isLeft) {
    body.cancel();
    return leftAnswer;
  }
  return { status: 200, contentType: "text/event-stream", headers, body };
}

/** A client that leaves in the midst of a picture has seen it; one that breaks off is no one's. */
function cameOf({ pump }: ServedStream, end: StreamEnd): DeliveredImages {
  const isTaken = end.kind === "client_abort" && end.isShown && pump.isBegun;
  if (isTaken) return { images: pump.completed + 1, usage: null };
  return { images: pump.completed, usage: pump.usage };
}

/** Write the error the way the vendor's clients read it. */
function encodeError(error: GatewayError): Uint8Array {
  const { message, type, param, shownCode: code } = error;
  return encodeEvent(
    JSON.stringify({ type: "error", error: { message, type, param, code } }),
    "error",
  );
}
