// An answer as each of those gets it who asked for it: the first, and all who repeat it.
import { GatewayError } from "../../../core/errors.ts";
import { leftAnswer, ReadySource, type Answer, type ByteSource } from "../../answer.ts";
import type { OpenCall } from "../../open-call.ts";
import { answeredOutcome } from "../../outcome.ts";
import { replayed } from "../../task/create-task.ts";
import type { TextInput } from "../text-job.ts";
import { RestOfEvents } from "./rest-of-events.ts";
import type { RunReader } from "./run-reader.ts";

/** The beginning of an answer: all but the bytes of a stream. */
export interface Head {
  answer: Answer;
  /** The call that pays for it; null where that was before. */
  call: OpenCall | null;
  requestId: string;
  model: string;
  stream: boolean;
}

/** Answer to the one whose request it is, which is settled by its own flow. */
export function answerFirst({ answer }: Head, reader: RunReader): Answer {
  if (isWhole(answer)) {
    reader.close();
    return answer;
  }
  return reader.isLeft ? leftAnswer : { ...answer, body: reader };
}

/**
 * Answer to one who asked again: nothing is held or charged for it. Of a stream it is the rest
 * where the client names what it has.
 */
export function answerReplay(
  head: Head,
  reader: RunReader,
  { call, headers: sent }: Pick<TextInput, "call" | "headers">,
): Answer {
  call.replayOf = head.requestId;
  call.model = head.model;
  call.stream = head.stream;
  if (reader.isLeft) throw new GatewayError("client_closed_request");
  const { answer } = head;
  const kept = repeatable(answer.headers);
  const isEvents = answer.contentType === "text/event-stream";
  const count = isEvents ? eventsOf(head, sent.get(placeHeader)) : 0;
  const place = isEvents && { [placeHeader]: `${head.requestId}/${count}` };
  const headers = { ...kept, ...call.limitHeaders, ...replayed, ...place };
  const outcome = answeredOutcome(answer.status);
  const { body } = answer;
  const restOf = (source: ByteSource) => (count === 0 ? source : new RestOfEvents(source, count));
  if (isWhole(answer)) {
    reader.close();
    call.finish(outcome);
    const isStream = head.stream && body instanceof Uint8Array;
    return { ...answer, headers, body: isStream ? restOf(new ReadySource(body)) : body };
  }
  call.ending = reader;
  reader.whenDone((isLeft) => call.finish(isLeft ? { ...outcome, kind: "client_abort" } : outcome));
  return { ...answer, headers, body: restOf(reader) };
}

/** Says which stream, by the request that made it, and how many of its events there were. */
const placeHeader = "last-event-id";

/** Count of the events that a client has of this very stream. */
function eventsOf({ requestId }: Head, place: string | null): number {
  const [id, count = ""] = place?.split("/") ?? [];
  return id === requestId && /^\d{1,9}$/.test(count) ? Number(count) : 0;
}

function isWhole({ body }: Answer): boolean {
  return typeof body === "string" || body instanceof Uint8Array || body instanceof Blob;
}

/** Limits are those of each request itself. */
export function repeatable(headers: Answer["headers"] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith("x-ratelimit-")),
  );
}
