// The credential goes to the cloud's own hosts alone.
import { expect, test } from "bun:test";
import { downloadAddress, fileUrl } from "./download.ts";

const vendor = "https://us-east5-aiplatform.googleapis.com/v1/x";
const headers = { "x-goog-api-key": "canary-key" };

test.each([
  ["gs://films/a fox/0.mp4", vendor, "https://storage.googleapis.com/films/a%20fox/0.mp4", true],
  ["https://us-east5-aiplatform.googleapis.com/f", vendor, null, true],
  [
    "gs://films/0.mp4",
    "http://proxy.example/v1/x",
    "https://storage.googleapis.com/films/0.mp4",
    false,
  ],
  [
    "gs://films/0.mp4",
    "https://evilgoogleapis.com/",
    "https://storage.googleapis.com/films/0.mp4",
    false,
  ],
  ["http://storage.googleapis.com/f", vendor, null, false],
  ["https://files.example/f", vendor, null, false],
])("%s named at %s", (place, url, expected, isShown) => {
  const file = fileUrl(place);
  const address = file && downloadAddress(file, { url, headers });
  expect(address).toEqual({ url: expected ?? place, headers: isShown ? headers : {} });
});

test.each(["", "films/0.mp4", "gs://films", "gs://films/../other/0.mp4"])(
  "%p is no file",
  (text) => {
    expect(fileUrl(text)?.protocol.startsWith("http") ?? false).toBe(false);
  },
);
