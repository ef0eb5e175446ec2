import { describe, expect, test } from "bun:test";
import type { MediaPart, MediaSource } from "../exchange.ts";
import { fileName, mediaKind, readBytes, readUrl, toDataUrl, toMarkdown } from "./media.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\n0000IHDR", "latin1").toString("base64");
const jpeg = Buffer.from("\xff\xd8\xff\xe0\x00\x10JFIF", "latin1").toString("base64");

describe("the type of media", () => {
  test.each([
    ["\x89PNG\r\n\x1a\n0000", "image/png"],
    ["\xff\xd8\xff\xe0", "image/jpeg"],
    ["GIF89a", "image/gif"],
    ["RIFF\x10\0\0\0WEBPVP8 ", "image/webp"],
    ["RIFF\x10\0\0\0WAVEfmt ", "audio/wav"],
    ["ID3\x04", "audio/mp3"],
    ["%PDF-1.7", "application/pdf"],
  ])("is read from the bytes %p, not from what the client says", (head, type) => {
    const base64 = Buffer.from(head, "latin1").toString("base64");
    expect(readBytes(base64, "image/x-wrong")).toEqual({ kind: "bytes", type, base64 });
  });

  test("is read from a data URL that stands where the data alone belongs", () => {
    const url = `data:text/csv;base64,${Buffer.from("a,b").toString("base64")}`;
    expect(readBytes(url, "text/csv")).toEqual(readUrl(url));
  });

  test("is what the client says where the bytes do not tell", () => {
    expect(readBytes("AAAA", "video/mp4")).toMatchObject({ type: "video/mp4" });
    expect(readBytes("AAAA", "")).toMatchObject({ type: "application/octet-stream" });
  });

  test("X-M10 image/jpg is image/jpeg", () => {
    expect(readUrl(`data:image/jpg;base64,${jpeg}`)).toMatchObject({ type: "image/jpeg" });
    expect(readUrl("data:image/jpg;base64,AAAA")).toMatchObject({ type: "image/jpeg" });
  });

  test("says of what kind the media is", () => {
    const kinds = ["image/png", "audio/wav", "video/mp4", "application/pdf", "text/plain"];
    expect(kinds.map(mediaKind)).toEqual(["image", "audio", "video", "document", "document"]);
  });
});

describe("a data URL", () => {
  test("is bytes and can be written again", () => {
    const source = readUrl(`data:image/png;base64,${png}`);
    expect(source).toEqual({ kind: "bytes", type: "image/png", base64: png });
    expect(source.kind === "bytes" && toDataUrl(source)).toBe(`data:image/png;base64,${png}`);
  });

  test("may have parameters, escapes instead of base64, or broken escapes", () => {
    expect(readUrl("DATA:text/plain;charset=utf-8;base64,aGk=")).toMatchObject({ base64: "aGk=" });
    expect(readUrl("data:text/plain,a%20b")).toEqual({
      kind: "bytes",
      type: "text/plain",
      base64: Buffer.from("a b").toString("base64"),
    });
    expect(readUrl("data:text/plain,100%")).toMatchObject({
      base64: Buffer.from("100%").toString("base64"),
    });
  });

  test("may be folded and in the alphabet for addresses", () => {
    expect(readBytes("-_\n-_", "")).toMatchObject({ base64: "+/+/" });
  });
});

test("any other address stays one", () => {
  const url = "https://example.com/a.png";
  expect(readUrl(url)).toEqual({ kind: "url", url, type: null });
  expect(readUrl(url, "image/png")).toEqual({ kind: "url", url, type: "image/png" });
});

test("a file's name ends as its kind wants it", () => {
  expect(fileName(undefined, "application/pdf")).toBe("document.pdf");
  expect(fileName("Report", "application/pdf")).toBe("Report.pdf");
  expect(fileName("report.PDF", "application/pdf")).toBe("report.PDF");
  expect(fileName("Notes", "text/plain")).toBe("Notes.txt");
  expect(fileName("thing", "application/x-thing")).toBe("thing");
});

test("media in an answer of text is a link, and an image is shown", () => {
  const part = (media: MediaPart["media"], source: MediaSource): MediaPart => ({
    kind: "media",
    media,
    source,
    at: "",
  });
  const url: MediaSource = { kind: "url", url: "https://example.com/a", type: null };
  expect(toMarkdown(part("image", readBytes(png, "")))).toBe(
    `![image](data:image/png;base64,${png})`,
  );
  expect(toMarkdown(part("image", url))).toBe("![image](https://example.com/a)");
  expect(toMarkdown(part("audio", url))).toBe("[audio](https://example.com/a)");
  expect(toMarkdown({ ...part("document", url), name: "a.pdf" })).toBe(
    "[a.pdf](https://example.com/a)",
  );
  expect(toMarkdown(part("document", { kind: "text", text: "abc" }))).toBe("abc");
  expect(toMarkdown(part("image", { kind: "file", id: "f", dialect: "chat" }))).toBe("");
});
