// The mock vendor's answers on one wire, as the bytes that go over the socket.

export const wordCount = 60;
export const word = "word ";
export const promptTokens = 90;

/** One wire's words, without the transport around them. */
interface Script {
  readonly reply: object;
  /** The events that come with the first word, one event a word, and the events after the last. */
  readonly opening: readonly string[];
  readonly say: (index: number, count: number) => string;
  readonly closing: readonly string[];
}

export interface Answers {
  readonly reply: Buffer;
  /** A stream in pieces: one for each word and one for the end. */
  readonly pieces: readonly Buffer[];
  /** A stream of one word, sent whole: first-byte passes need thousands of samples a second. */
  readonly shortStream: Buffer;
}

const streamHead =
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

export function renderAnswers({ reply, opening, say, closing }: Script): Answers {
  const start = streamHead + frame(opening);
  const end = `${frame(closing)}0\r\n\r\n`;
  const pieces = Array.from({ length: wordCount }, (_, index) =>
    Buffer.from((index === 0 ? start : "") + frame([say(index, wordCount)])),
  );
  return {
    reply: renderReply(reply),
    pieces: [...pieces, Buffer.from(end)],
    shortStream: Buffer.from(start + frame([say(0, 1)]) + end),
  };
}

export function event(data: object | string, name?: string): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
}

function frame(events: readonly string[]): string {
  return events.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join("");
}

function renderReply(reply: object): Buffer {
  const body = JSON.stringify(reply);
  const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json";
  return Buffer.from(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
}
