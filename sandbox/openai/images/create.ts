// Makes images, from a prompt or from other images.
import { readFaults } from "../../directives.ts";
import { readJobPlan } from "../../jobs.ts";
import type { VendorRequest } from "../../vendor.ts";
import { Refusal } from "../errors.ts";
import { secondsOf, type Work, type WorkContext } from "../work.ts";
import { renderEvents, renderImages } from "./render.ts";
import { readImageRequest, type ImageKind } from "./request.ts";

export function createImages(request: VendorRequest, context: WorkContext, kind: ImageKind): Work {
  const asked = readImageRequest(request, kind);
  const { model, prompt } = asked;
  const faults = readFaults(prompt, context.bearer);
  const { outcome } = readJobPlan(prompt, context.bearer);
  const createdSeconds = secondsOf(context);
  const drawing = { asked, seed: context.serial, createdSeconds, isCounted: !faults.noUsage };
  const unlessFiltered = <Result>(draw: () => Result) => {
    if (outcome === "filter") throw blocked();
    return draw();
  };
  return {
    model,
    // It fails as a server does.
    faults: outcome === "fail" ? { ...faults, status: faults.status ?? 500 } : faults,
    body: () => unlessFiltered(() => renderImages(drawing)),
    events: asked.isStream
      ? () => unlessFiltered(() => renderEvents(drawing, faults.errorAfter))
      : null,
  };
}

function blocked(): Refusal {
  const message = "Your request was rejected by the safety system.";
  return new Refusal(400, { message, code: "moderation_blocked" });
}
