// Clients that have videos and images made on any node. Who gets no answer asks another node under
// the same idempotency key, as SDKs do.
import { between } from "../../crash/lives.ts";
import { createOf, offers, readTask, type Offer } from "../../crash/tasks/offers.ts";
import { answerMsMax, linesOf, type LoadNeeds } from "./load.ts";
import type { Payer } from "./seen.ts";

const triesMax = 4;
const pauseMsMax = 1200;
/** The last ones fail, are cut off after they began, or take their time. */
const fates = ["", "", "", "sandbox:delay=250ms", "sandbox:fail", "sandbox:cut"];

let marks = 0;

export async function runTaskLane(needs: LoadNeeds): Promise<void> {
  while (!needs.isOver()) {
    const { payers } = needs;
    const payer = payers[Math.floor(Math.random() * payers.length)];
    const offer = offers[Math.floor(Math.random() * offers.length)];
    if (payer && offer) await createTask(needs, payer, offer);
    await Bun.sleep(between(0, pauseMsMax));
  }
}

async function createTask(needs: LoadNeeds, payer: Payer, offer: Offer): Promise<void> {
  const { seen } = needs;
  const mark = `mark-${++marks}`;
  const fate = fates[Math.floor(Math.random() * fates.length)] ?? "";
  const prompt = `${mark} sandbox:seconds=1 ${fate}`;
  const [path, body] = createOf(offer, prompt);
  seen.tasksSent++;
  for (let tries = 0; tries < triesMax && !needs.isOver(); tries++) {
    const gateway = needs.anyNode();
    if (!gateway) continue;
    try {
      const response = await fetch(gateway.url + path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${payer.keys[0].key}`,
          "content-type": "application/json",
          "idempotency-key": mark,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerMsMax),
      });
      const text = await response.text();
      seen.count(`task ${response.status}`);
      const requestId = response.headers.get("x-request-id") ?? "";
      if (response.status === 500) {
        seen.odd.push(`failed: ${text} ${await linesOf(gateway, requestId)}`);
      }
      if (response.status !== 200) return;
      const { id } = readTask(text);
      if (id !== null) seen.tasks.push({ id, accountId: payer.id, micros: offer.micros });
      return;
    } catch {
      seen.count("task no answer");
    }
  }
}
