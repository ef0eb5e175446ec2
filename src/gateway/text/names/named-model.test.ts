import { expect, test } from "bun:test";
import { noTally } from "../meter/tally.ts";
import { ModelWatch, replyModel } from "./named-model.ts";

function watched(...blocks: string[]): string | null {
  const watch = new ModelWatch();
  const tally = watch.over(noTally);
  for (const block of blocks) tally.push(new TextEncoder().encode(block));
  return watch.model;
}

test.each([
  ['data: {"id":"1","model":"a","choices":[]}\n\n', "a"],
  ['data: { "model" : "a/b-c" }\n\n', "a/b-c"],
  ['event: message_start\ndata: {"type":"x","message":{"id":"1","model":"a"}}\n\n', "a"],
  ['data: {"response":{"tools":[{"model":"picture"}],"model":"a"}}\n\n', "a"],
  ['data: {"response":{"text":"\\"model\\":\\"b\\"","model":"a"}}\n\n', "a"],
  ['data: {"candidates":[],"modelVersion":"a"}\n\n', "a"],
  ['data: {"choices":[{"delta":{"model":"b"}}]}\n\n', null],
  ['data: {"model":null}\n\n', null],
  ['data: {"text":"model"}\n\n', null],
  ['data: {"model":"a', "a"],
  ['data: {"model":"","choices":[]}\n\n', null],
  ['data: {"model":"","choices":[]}\n\ndata: {"model":"a"}\n\n', "a"],
])("the model of an event is found without parsing it: %p", (block, model) => {
  expect(watched(block)).toBe(model);
});

test("the first event that names a model counts, and later ones are not looked at", () => {
  expect(watched(": ping\n\n", 'data: {"model":"a"}\n\n', 'data: {"model":"b"}\n\n')).toBe("a");
  const late = Array.from({ length: 10 }, () => 'data: {"x":1}\n\n');
  expect(watched(...late, 'data: {"model":"a"}\n\n')).toBeNull();
});

test("a whole reply names its model in either spelling, or not at all", () => {
  expect(replyModel({ model: "a" }).model).toBe("a");
  expect(replyModel({ modelVersion: "a" }).model).toBe("a");
  for (const body of [{}, null, { model: 1 }, []]) expect(replyModel(body).model).toBeNull();
});
