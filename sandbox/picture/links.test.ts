import { expect, test } from "bun:test";
import { readImageSize } from "../../src/core/image-size.ts";
import type { VendorRequest } from "../vendor.ts";
import { pictureAnswer, pictureLink } from "./links.ts";

function request(address: string, method = "GET"): VendorRequest {
  const { pathname: path, searchParams: query } = new URL(address, "http://127.0.0.1:7");
  const headers = new Headers({ host: "127.0.0.1:7" });
  return { method, path, query, headers, body: new Uint8Array(), note: () => {} };
}

test("a link leads to its picture", () => {
  const ask = { width: 640, height: 480, format: "webp", seed: "a cat", label: "a & b" } as const;
  const link = pictureLink(request("/"), "/ark", ask);
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:7\/ark\/pictures\/640x480-\d+\.webp\?label=a%20%26/);
  const answer = pictureAnswer(request(link.replace("/ark", "")));
  expect(answer?.headers).toEqual({ "content-type": "image/webp" });
  const bytes = answer?.content.kind === "whole" ? answer.content.bytes : new Uint8Array();
  expect(readImageSize("image/webp", bytes)).toEqual({ width: 640, height: 480 });
});

test("there is nothing behind other paths", () => {
  for (const path of ["0x5-1.png", "5x8193-1.png", "5x5-1.gif", "5x5.png", "5x5-1.png/x"]) {
    expect(pictureAnswer(request(`/pictures/${path}`))).toBeNull();
  }
  expect(pictureAnswer(request("/pictures/5x5-1.png", "POST"))).toBeNull();
});
