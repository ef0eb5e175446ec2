// Callbacks and their secret: each call with its function.
import { bind } from "../bind.ts";
import { deliveryCalls, webhookCalls, webhookSecretCalls } from "./contract.ts";
import { listDeliveryViews, listOwnDeliveryViews } from "./list.ts";
import { readWebhookSecret, rotateWebhookSecret } from "./secret.ts";
import { replayDelivery, replayOwnDelivery, testWebhook } from "./send.ts";
import { showDelivery, showOwnDelivery } from "./show.ts";

export const deliveryVerbs = bind(deliveryCalls, {
  list: listDeliveryViews,
  listOwn: listOwnDeliveryViews,
});

export const webhookVerbs = bind(webhookCalls, {
  test: testWebhook,
  showOwn: showOwnDelivery,
  replayOwn: replayOwnDelivery,
  show: showDelivery,
  replay: replayDelivery,
});

export const webhookSecretVerbs = bind(webhookSecretCalls, {
  read: readWebhookSecret,
  rotate: rotateWebhookSecret,
});
