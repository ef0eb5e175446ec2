// Behaviour of the AI SDK through one of its providers, against upstreams of every dialect. The
// providers share their whole face, so the same holds for each of them.
import { afterAll, beforeAll } from "bun:test";
import { dialects } from "../../harness/dialects.ts";
import { type AiClient, Desk } from "./desk.ts";
import { errorsHold } from "./errors.ts";
import { mediaHolds } from "./media.ts";
import { endingsHold, textHolds } from "./text.ts";
import { effortHolds, hiddenThinkingHolds, thinkingHolds } from "./thinking.ts";
import { toolsHold } from "./tools.ts";

/** To be called within a describe block of its own. */
export function aiHolds(client: AiClient): void {
  const desk = new Desk(client);
  beforeAll(() => desk.open());
  afterAll(() => desk.close());
  for (const dialect of dialects) {
    textHolds(desk, dialect);
    endingsHold(desk, dialect);
    toolsHold(desk, dialect);
    thinkingHolds(desk, dialect);
    effortHolds(desk, dialect);
    mediaHolds(desk, dialect);
  }
  hiddenThinkingHolds(desk);
  // A channel that was busy rests for a moment, so this comes last.
  for (const dialect of dialects) errorsHold(desk, dialect);
}
