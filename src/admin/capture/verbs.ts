// How contents of requests are captured and read, and what the reference says of it.
import { removed } from "../contract/basics.ts";
import { verbsOf } from "../verb.ts";
import { readCaptured, readOwnCaptured } from "./content.ts";
import { CaptureInput, CaptureView, ContentView } from "./contract.ts";
import { createCapture } from "./create.ts";
import { listCaptures } from "./list.ts";
import { removeCapture } from "./remove.ts";

const { list, verb } = verbsOf("Records");

export const captureVerbs = {
  list: list("List what is captured of requests, and for whom", CaptureView, listCaptures),
  create: verb("Capture the contents of the next few requests", "body", createCapture, {
    description:
      "Of text, for a few minutes, redacted as `content_log.redact` says, and deleted after a " +
      "day. Members capture their own requests; admins name a key, a model or a channel. Whoever " +
      "it concerns sees it in the list.",
    body: { schema: CaptureInput, example: { model: "example-model", requests: 3 } },
    answer: CaptureView,
  }),
  remove: verb("End a capture and delete what it kept", "id", removeCapture, {
    description:
      "For who ordered it, whose requests alone it takes, root, and an admin where a member " +
      "ordered it.",
    answer: removed,
  }),
  read: verb("Read the captured content of a request", "id", readCaptured, {
    description: "Of somebody else's request it leaves a line in the audit log.",
    answer: ContentView,
  }),
  readOwn: verb("Read the captured content of one's own request", "id", readOwnCaptured, {
    answer: ContentView,
  }),
};
