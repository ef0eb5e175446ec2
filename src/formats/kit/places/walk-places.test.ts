import { expect, test } from "bun:test";
import { chatPlaces } from "../../chat/places.ts";
import { PlaceWalk } from "./walk-places.ts";

test("fields are found in whatever order and mix they come", () => {
  const file = { type: "file", file: { file_id: "file-1" } };
  const said = { type: "text", text: "hi" };
  const parts = [
    said,
    file,
    said,
    { file: { file_id: "file-2" }, type: "file" },
    { ...said, file },
  ];
  const messages = [
    { role: "user", content: parts },
    { content: parts, role: "user" },
  ];
  const first = new PlaceWalk().body({ model: "m", messages }, chatPlaces);
  const again = new PlaceWalk().body({ messages, model: "m" }, chatPlaces);
  expect(again.objects.named).toEqual(first.objects.named);
  expect(first.objects.named).toHaveLength(6);
});
