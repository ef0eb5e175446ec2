// What can be tried out without a request, and what the reference says of it.
import { verbsOf } from "../verb.ts";
import { RoutePreview } from "./contract.ts";
import { previewRoute, routeChecker } from "./preview.ts";

const { verb } = verbsOf("Channels");

export const routeVerbs = {
  preview: verb("Where a request would go", "body", previewRoute, {
    description:
      "The order in which channels would be asked now, with their chances, and why others would " +
      "not. Nothing is sent, and nothing changes.",
    body: { schema: routeChecker.schema, example: { model: "chatA" } },
    answer: RoutePreview,
  }),
};
