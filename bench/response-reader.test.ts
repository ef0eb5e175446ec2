import { expect, test } from "bun:test";
import { ResponseReader } from "./response-reader.ts";

const lengthReply = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const chunkedReply =
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
  '6\r\ndata: \r\n10;name=value\r\n[DONE]\n\n01234567\r\n0\r\nx-trailer: "1"\r\n\r\n';

function readCut(text: string, cut: number): ResponseReader {
  const reader = new ResponseReader();
  const bytes = Buffer.from(text);
  reader.push(bytes.subarray(0, cut));
  if (cut < bytes.length) expect(reader.isDone).toBe(false);
  reader.push(bytes.subarray(cut));
  return reader;
}

test("a response is read the same wherever its bytes are cut", () => {
  for (const [text, body] of [
    [lengthReply, "hello"],
    [chunkedReply, "data: [DONE]\n\n01234567"],
  ] as const)
    for (let cut = 0; cut <= text.length; cut++) {
      const reader = readCut(text, cut);
      expect([reader.isDone, reader.isBroken, reader.status]).toEqual([true, false, 200]);
      expect([reader.tail, reader.bodyBytes]).toEqual([body, body.length]);
    }
});

test("bytes after the end and a close in the middle are broken responses", () => {
  expect(readCut(`${lengthReply}!`, 10).isBroken).toBe(true);
  const reader = new ResponseReader();
  reader.push(Buffer.from(chunkedReply.slice(0, -2)));
  reader.close();
  expect(reader.isBroken).toBe(true);
});

test("a response without a length ends when the connection does", () => {
  const reader = new ResponseReader();
  reader.push(Buffer.from("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\noops"));
  expect(reader.isDone).toBe(false);
  reader.close();
  expect([reader.isDone, reader.isBroken, reader.closesConnection]).toEqual([true, false, true]);
});
