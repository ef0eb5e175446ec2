// What is done about callbacks, and what the reference says of it.
import { text } from "../../core/schema-words.ts";
import { listOf, pages } from "../contract/basics.ts";
import { verb } from "../verb.ts";
import { OwnDeliveryView, WebhookDeliveryView, WebhookSecret } from "./contract.ts";
import { listDeliveryViews, listOwnDeliveryViews } from "./list.ts";
import { readWebhookSecret, rotateWebhookSecret } from "./secret.ts";

const query = { ...pages, task: { schema: text() } };

export const webhooks = {
  list: verb({
    tag: "Records",
    summary: "List callbacks",
    takes: "query",
    query,
    answer: listOf(WebhookDeliveryView),
    run: listDeliveryViews,
  }),
  listOwn: verb({
    tag: "Records",
    summary: "List one's callbacks",
    takes: "query",
    query,
    answer: listOf(OwnDeliveryView),
    run: listOwnDeliveryViews,
  }),
  readSecret: verb({
    tag: "Own account",
    summary: "Read what one's callbacks are signed with",
    takes: "nothing",
    answer: WebhookSecret,
    run: readWebhookSecret,
  }),
  rotateSecret: verb({
    tag: "Own account",
    summary: "Have callbacks signed with a new secret",
    takes: "nothing",
    answer: WebhookSecret,
    run: rotateWebhookSecret,
  }),
};
