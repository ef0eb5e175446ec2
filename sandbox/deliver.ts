// Sends an answer over the wire: at the set pace, and with the faults that the prompt asked for.
import type { OpenCall, Outcome } from "./call-log.ts";
import type { Line } from "./line.ts";
import type { Answer } from "./vendor.ts";

interface Delivery {
  call: OpenCall;
  line: Line;
  paceMs: number;
  /** Lifts the server's idle limit off this request. */
  holdOpen(): void;
}

/** The bytes to send, and their ending: whole, with a broken connection, or with silence. */
interface Script {
  pieces: Uint8Array[];
  ending: "close" | "break" | "silence";
  outcome: Outcome;
}

const fewEvents = 3;
/** The connection breaks a moment after the last bytes; at once would take those with it. */
const breakDelayMs = 20;
const encoder = new TextEncoder();
const brokenBody = encoder.encode("<html><body><h1>502 Bad Gateway</h1></body></html>\n");
const brokenEvents = encoder.encode('data: {"id":"chatcmpl-","choices":[{"del\n\n\u0000?<<>>\n\n');

export async function deliver(answer: Answer, delivery: Delivery): Promise<Response> {
  const { call, line } = delivery;
  const { delayMs } = answer.faults;
  if (delayMs > 0) {
    delivery.holdOpen();
    await line.wait(delayMs);
  }
  const script = toScript(answer);
  const isWhole = answer.content.kind === "whole";
  if (script.ending === "silence") delivery.holdOpen();
  if (script.ending === "silence" && isWhole) await line.waitForever();
  if (!line.isOpen) return new Response(null, { status: 499 });
  call.begun(answer.status);
  const { status, headers } = answer;
  if (script.ending === "close" && isWhole) return wholeResponse(script, answer, call);
  return new Response(streamOf(script, delivery), { status, headers });
}

function toScript({ status, faults, content }: Answer): Script {
  if (status >= 400) return { pieces: piecesOf(content), ending: "close", outcome: "refused" };
  if (content.kind === "events") return eventScript(content.events, faults);
  const { bytes } = content;
  if (faults.stall) return { pieces: [], ending: "silence", outcome: "faulted" };
  if (faults.cut) {
    const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
    return { pieces: [half], ending: "break", outcome: "faulted" };
  }
  if (faults.garbage) return { pieces: [brokenBody], ending: "close", outcome: "faulted" };
  return { pieces: [bytes], ending: "close", outcome: "completed" };
}

function piecesOf(content: Answer["content"]): Uint8Array[] {
  return content.kind === "whole" ? [content.bytes] : content.events;
}

function eventScript(events: Uint8Array[], faults: Answer["faults"]): Script {
  const few = events.slice(0, Math.min(fewEvents, Math.floor(events.length / 2)));
  if (faults.stall) return { pieces: few, ending: "silence", outcome: "faulted" };
  if (faults.cut) return { pieces: few, ending: "break", outcome: "faulted" };
  if (faults.garbage) {
    return { pieces: [...few, brokenEvents], ending: "close", outcome: "faulted" };
  }
  const outcome = faults.errorAfter === null ? "completed" : "faulted";
  return { pieces: events, ending: "close", outcome };
}

function wholeResponse(script: Script, { status, headers }: Answer, call: OpenCall): Response {
  const [bytes] = script.pieces;
  call.sent(bytes?.length ?? 0);
  call.end(script.outcome);
  return new Response(bytes, { status, headers });
}

function streamOf(script: Script, delivery: Delivery): ReadableStream<Uint8Array> {
  const { call, line, paceMs } = delivery;
  let next = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = script.pieces[next];
      if (piece === undefined) return endStream(controller, script, delivery);
      if (next > 0 && paceMs > 0) await line.wait(paceMs);
      if (!line.isOpen) return;
      next++;
      call.sent(piece.length);
      controller.enqueue(piece);
    },
    cancel() {
      call.end("aborted");
      line.drop();
    },
  });
}

async function endStream(
  controller: ReadableStreamDefaultController<Uint8Array>,
  script: Script,
  { call, line }: Delivery,
): Promise<void> {
  if (script.ending === "silence") await line.waitForever();
  if (script.ending === "break") await line.wait(breakDelayMs);
  if (!line.isOpen) return;
  call.end(script.outcome);
  if (script.ending === "close") controller.close();
  else controller.error(new Error("the sandbox cut the connection"));
}
