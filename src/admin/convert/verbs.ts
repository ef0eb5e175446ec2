// How a conversion is tried out, and what the reference says of it.
import { verbsOf } from "../verb.ts";
import { ConvertView } from "./contract.ts";
import { convert, convertChecker } from "./run.ts";

const { verb } = verbsOf("Channels");

export const convertVerbs = {
  run: verb("What a vendor would get of a request", "body", convert, {
    description:
      "The address, the headers without the key, the body, what is left out and what would be " +
      "held; of an answer, what the client would read and pay. Nothing is sent.",
    body: {
      schema: convertChecker.schema,
      example: {
        format: "chat",
        body: { model: "chatA", messages: [{ role: "user", content: "hello" }] },
        dialect: "messages",
      },
    },
    answer: ConvertView,
  }),
};
