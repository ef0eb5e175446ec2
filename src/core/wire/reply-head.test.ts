import { describe, expect, test } from "bun:test";
import { ChunkFrames, LengthFrames, OpenFrames } from "./body-frames.ts";
import { ReplyHead } from "./reply-head.ts";

function read(...lines: string[]): ReplyHead {
  return new ReplyHead(Buffer.from(lines.map((line) => `${line}\r\n`).join(""), "latin1"));
}

const ok = "HTTP/1.1 200 OK";

describe("a head", () => {
  test("tells status and headers", () => {
    const head = read(
      "HTTP/1.1 429 Too Many",
      "Retry-After:  3 ",
      "X-Twice: a",
      "x-twice: b",
      "E:",
    );
    expect(head.status).toBe(429);
    expect([...head.headers]).toEqual([
      ["e", ""],
      ["retry-after", "3"],
      ["x-twice", "a, b"],
    ]);
  });

  test("tells what its body is without its headers", () => {
    expect(read(ok, "Content-Type: Text/Event-Stream; charset=utf-8 ").mediaType).toBe(
      "text/event-stream; charset=utf-8",
    );
    expect(read(ok).mediaType).toBe("");
  });

  test("needs no reason", () => {
    expect(read("HTTP/1.1 200").status).toBe(200);
    expect(read("HTTP/1.1 200 ").status).toBe(200);
  });

  test("may have letters of other tongues in its values", () => {
    expect(read(ok, "x-name: caf\u00e9").headers.get("x-name")).toBe("caf\u00e9");
  });

  const refused: string[][] = [
    ["HTTP/2 200 OK"],
    ["HTTP/1.1 20 OK"],
    ["HTTP/1.1 099 OK"],
    ["HTTP/1.1 101 Switching Protocols", "upgrade: websocket"],
    ["HTTP/1.1  200 OK"],
    ["http/1.1 200 OK"],
    ["ICY 200 OK"],
    [""],
    [ok, "no colon"],
    [ok, "space before: colon".replace(":", " :")],
    [ok, ": without a name"],
    [ok, "x-a: b", " folded: yes"],
    [ok, "x-a: b\0c"],
    [ok, "x-a: b\nx-b: c"],
    [ok, "x-a: b\rx-b: c"],
    [ok, "x(a): b"],
  ];

  test.each(refused.map((lines) => [lines]))(
    "that does not keep to the protocol is refused: %p",
    (lines) => {
      expect(() => read(...lines)).toThrow("MalformedResponse");
    },
  );
});

describe("a body", () => {
  test.each([
    ["a length", ["Content-Length: 12"], LengthFrames],
    ["the same length twice", ["Content-Length: 12", "content-length: 12"], LengthFrames],
    ["chunks", ["Transfer-Encoding: chunked"], ChunkFrames],
    ["chunks among spaces and tabs", ["transfer-encoding: \t chunked \t"], ChunkFrames],
    ["chunks in capitals", ["transfer-encoding: Chunked"], ChunkFrames],
    [
      "chunks in spite of a length",
      ["Content-Length: 5", "Transfer-Encoding: chunked"],
      ChunkFrames,
    ],
    ["neither", [], OpenFrames],
  ])("with %s is framed so", (_name, lines, kind) => {
    expect(read(ok, ...lines).frames()).toBeInstanceOf(kind);
  });

  test.each([204, 304])("does not come with %d, whatever is said of it", (status) => {
    const head = read(`HTTP/1.1 ${status} -`, "content-length: 5");
    expect([head.frames().isDone, head.declaredBytes, head.isKept]).toEqual([true, null, false]);
    const surplus = head.frames();
    expect(surplus.take(Buffer.from("hello"))).toHaveLength(0);
    expect(surplus.hasSurplus).toBe(true);
  });

  test.each([
    ["two lengths", ["content-length: 5", "content-length: 6"]],
    ["two lengths in one", ["content-length: 5, 6"]],
    ["a negative length", ["content-length: -5"]],
    ["a length that is none", ["content-length: 5x"]],
    ["an empty length", ["content-length:"]],
    ["a length beyond all measure", ["content-length: 99999999999999999"]],
    ["a length behind a space of another tongue", ["content-length: \xa05"]],
    ["a length before a form feed", ["content-length: 5\f"]],
    ["chunks before a vertical tab", ["transfer-encoding: chunked\v"]],
    ["an unknown encoding", ["transfer-encoding: gzip, chunked"]],
    ["an encoding said twice", ["transfer-encoding: chunked", "transfer-encoding: chunked"]],
  ])("with %s is refused", (_name, lines) => {
    expect(() => read(ok, ...lines).frames()).toThrow("MalformedResponse");
  });

  test("has a length that is known, or not", () => {
    expect(read(ok, "content-length: 0012").declaredBytes).toBe(12);
    expect(read(ok, "content-length: 5", "transfer-encoding: chunked").declaredBytes).toBeNull();
    expect(read(ok).declaredBytes).toBeNull();
  });
});

test.each([
  [true, ok, []],
  [true, ok, ["connection: keep-alive"]],
  [true, ok, ["Connection: Upgrade"]],
  [false, ok, ["connection: close"]],
  [false, ok, ["Connection: Keep-Alive, Close"]],
  [false, ok, ["connection: keep-alive", "connection: close"]],
  [false, "HTTP/1.0 200 OK", []],
  [true, "HTTP/1.0 200 OK", ["connection: Keep-Alive"]],
  [false, "HTTP/1.0 200 OK", ["connection: keep-alive", "transfer-encoding: chunked"]],
  [false, ok, ["content-length: 5", "transfer-encoding: chunked"]],
  [true, "HTTP/1.1 204 -", []],
  [true, "HTTP/1.1 204 -", ["content-length: 0"]],
  [false, "HTTP/1.1 204 -", ["transfer-encoding: chunked"]],
])("the connection is kept: %p after %s %p", (isKept, first, lines) => {
  expect(read(first, ...lines).isKept).toBe(isKept);
});
