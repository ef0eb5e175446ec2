import { describe, expect, test } from "bun:test";
import {
  box,
  ftyp,
  gif,
  heic,
  jpeg,
  m4a,
  moov,
  oggOf,
  pngOf,
  wavOf,
  webp,
} from "../fixtures/files.ts";
import { proveFile } from "./prove-file.ts";

const latin = (text: string) => Buffer.from(text, "latin1");
const padded = (head: string) => latin(head.padEnd(600, "\x01\x02 words "));

describe("proving a file", () => {
  test.each<[string, Buffer, "picture" | "sound" | "text"]>([
    ["PNG", pngOf(), "picture"],
    ["JPEG", jpeg, "picture"],
    ["GIF", gif, "picture"],
    ["WebP", webp, "picture"],
    ["HEIC", heic, "picture"],
    ["M4A", m4a, "sound"],
    ["WAV", wavOf(), "sound"],
    ["Ogg with Opus", oggOf("OpusHead"), "sound"],
    ["MP3", latin("\xff\xfb\x90\x64frames\0\0"), "sound"],
    ["MP3 behind a tag", latin("ID3\x04\0\0\0\0\0\x03tag\xff\xfb\x90\x64frames\0"), "sound"],
    ["text", latin("Some words.\n\tAnd more."), "text"],
  ])("%s is what it is", (_, bytes, kind) => {
    expect(proveFile(bytes)).toBe(kind);
  });
});

describe("proving nothing", () => {
  test.each<[string, Buffer]>([
    ["a PDF", padded("%PDF-1.4")],
    ["a GIF with a PDF behind it", Buffer.concat([gif, padded("%PDF-1.4")])],
    ["a PNG with a PDF past the first kilobyte", Buffer.concat([pngOf(9000), latin("%PDF-1.7")])],
    ["words with a PDF behind them", latin(`${"word ".repeat(500)}%PDF-1.4`)],
    ["a GIF with an archive behind it", Buffer.concat([gif, latin("PK\x05\x06".padEnd(22, "\0"))])],
    ["letters of a GIF", padded("GIF89a word word")],
    ["letters of a WebP", padded("RIFFwordWEBPword")],
    ["letters of a picture in boxes", padded("wordftypheicword")],
    ["the head of a PNG alone", latin("\x89PNG\r\n\x1a\n".padEnd(300, "a"))],
    ["a JPEG without a frame", latin("\xff\xd8\xff\xe0\0\x10JFIF".padEnd(300, "a"))],
    ["a film", Buffer.concat([ftyp("isom", "mp42"), moov("vide"), box("mdat")])],
    ["a film under a sound's brand", Buffer.concat([ftyp("M4A "), moov("vide"), box("mdat")])],
    [
      "a film under a picture's brand",
      Buffer.concat([ftyp("heic", "mif1"), box("meta"), moov("vide"), box("mdat")]),
    ],
    ...["heis", "avis", "mif1", "msf1"].map((brand): [string, Buffer] => [
      `a sequence of pictures, ${brand}`,
      Buffer.concat([ftyp(brand, "mif1"), box("meta"), box("mdat")]),
    ]),
    ["a picture that goes with a sequence", Buffer.concat([ftyp("heic", "hevc"), box("meta")])],
    ["a film in Ogg", oggOf("\x80theora")],
    ["a film in Ogg behind sound", Buffer.concat([oggOf("OpusHead"), oggOf("\x80theora")])],
    ["a film behind a tag of sound", Buffer.concat([latin("ID3\x04\0\0\0\0\0\0"), ftyp("isom")])],
    ["sound of a byte a second", Buffer.from(wavOf()).fill(1, 28, 29).fill(0, 29, 32)],
    ["an archive", padded("PK\x03\x04")],
    ["nothing", padded("\x01\x02")],
  ])("%s is nothing that is known", (_, bytes) => {
    expect(proveFile(bytes)).toBeNull();
  });
});
