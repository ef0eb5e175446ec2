// Images of Azure where they are not as OpenAI's own.
import { expect, test } from "bun:test";
import { imageJob, ScriptedVendor } from "../../../test/harness/images/vendor.ts";
import { expectRefusal } from "../kit/fixtures/vendors.ts";
import { azure } from "./index.ts";

const run = (vendor: ScriptedVendor) => {
  if (!azure.image) throw new Error("no images");
  return azure.image.run(imageJob({}), {}, vendor.call({ model: "gpt-image-2" }));
};

test("an answer of success without a picture is the filter's refusal", async () => {
  const error = { code: "contentFilter", message: "Your task failed as a result of our system." };
  const vendor = new ScriptedVendor(() => ({ json: { created: 1, data: [], error } }));
  await expectRefusal(run(vendor), {
    blame: "request",
    status: 400,
    code: "content_filter",
    message: error.message,
  });
});

test("pictures are taken though an error stands beside them", async () => {
  const data = [{ b64_json: "AAAA" }];
  const vendor = new ScriptedVendor(() => ({ json: { data, error: { code: "contentFilter" } } }));
  expect((await run(vendor)).images).toHaveLength(1);
});
