// What is done about callbacks, and what the reference says of it.
import { text } from "../../core/schema-words.ts";
import { verbsOf } from "../verb.ts";
import {
  DeliveryDetail,
  OwnDeliveryDetail,
  OwnDeliveryView,
  WebhookDeliveryView,
  WebhookSecret,
  WebhookTestInput,
  WebhookTestView,
} from "./contract.ts";
import { listDeliveryViews, listOwnDeliveryViews } from "./list.ts";
import { readWebhookSecret, rotateWebhookSecret } from "./secret.ts";
import { replayDelivery, replayOwnDelivery, testWebhook } from "./send.ts";
import { showDelivery, showOwnDelivery } from "./show.ts";

const records = verbsOf("Records");
const own = verbsOf("Own account");

const query = { task: { schema: text() } };

export const webhookVerbs = {
  list: records.list("List callbacks", WebhookDeliveryView, listDeliveryViews, query),
  listOwn: records.list("List one's callbacks", OwnDeliveryView, listOwnDeliveryViews, query),
  show: records.verb("Show a callback with its tries", "id", showDelivery, {
    answer: DeliveryDetail,
  }),
  showOwn: records.verb("Show one of one's callbacks", "id", showOwnDelivery, {
    answer: OwnDeliveryDetail,
  }),
  replay: records.verb("Send a callback again", "id", replayDelivery, { answer: DeliveryDetail }),
  replayOwn: records.verb("Send one of one's callbacks again", "id", replayOwnDelivery, {
    answer: OwnDeliveryDetail,
  }),
  test: own.verb("Send a test to a callback's address", "body", testWebhook, {
    description: "Signed with one's own secret, sent once, and answered with what came of it.",
    body: { schema: WebhookTestInput, example: { url: "https://example.com/hook" } },
    answer: WebhookTestView,
  }),
  readSecret: own.verb("Read what one's callbacks are signed with", "nothing", readWebhookSecret, {
    answer: WebhookSecret,
  }),
  rotateSecret: own.verb(
    "Have callbacks signed with a new secret",
    "nothing",
    rotateWebhookSecret,
    { answer: WebhookSecret },
  ),
};
