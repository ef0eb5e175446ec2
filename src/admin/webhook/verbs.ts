// What is done about callbacks, and what the reference says of it.
import { text } from "../../core/schema-words.ts";
import { verbsOf } from "../verb.ts";
import { OwnDeliveryView, WebhookDeliveryView, WebhookSecret } from "./contract.ts";
import { listDeliveryViews, listOwnDeliveryViews } from "./list.ts";
import { readWebhookSecret, rotateWebhookSecret } from "./secret.ts";

const records = verbsOf("Records");
const own = verbsOf("Own account");

const query = { task: { schema: text() } };

export const webhookVerbs = {
  list: records.list("List callbacks", WebhookDeliveryView, listDeliveryViews, query),
  listOwn: records.list("List one's callbacks", OwnDeliveryView, listOwnDeliveryViews, query),
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
