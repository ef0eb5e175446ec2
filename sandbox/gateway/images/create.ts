// Images of the reseller, in one answer or in events, as links or as bytes.
import { readFaults } from "../../directives.ts";
import { readJobPlan } from "../../jobs.ts";
import { renderEvents, renderImages } from "../../openai/images/render.ts";
import type { ImageKind } from "../../openai/images/request.ts";
import { pictureLink } from "../../picture/links.ts";
import type { Answer } from "../../vendor.ts";
import { type ImageVisit, jsonAnswer } from "../../wire.ts";
import { Refusal, refusalAnswer } from "../errors.ts";
import { readRequest } from "./request.ts";

export const prefix = "/gateway";

export function createImages(visit: ImageVisit, kind: ImageKind): Answer {
  const { request, key } = visit;
  const { asked, isLink } = readRequest(request, kind);
  request.note({ model: asked.model, stream: asked.isStream });
  const faults = readFaults(asked.prompt, key);
  const { outcome } = readJobPlan(asked.prompt, key);
  const status = faults.status ?? (outcome === "fail" ? 500 : null);
  if (status !== null) return refusalAnswer(new Refusal(status), faults);
  if (outcome === "filter") return refusalAnswer(filtered(), faults);
  const drawing = {
    asked,
    // A create that is repeated brings the same pictures.
    seed: request.headers.get("idempotency-key") ?? visit.serial,
    createdSeconds: Math.floor(visit.nowMs / 1000),
    isCounted: !faults.noUsage,
  };
  if (asked.isStream) {
    const events = renderEvents(drawing, faults.errorAfter);
    const headers = { "content-type": "text/event-stream; charset=utf-8" };
    return { status: 200, headers, faults, content: { kind: "events", events } };
  }
  const body = isLink
    ? renderImages(drawing, (picture) => ({ url: pictureLink(request, prefix, picture) }))
    : renderImages(drawing);
  return jsonAnswer(body, { faults });
}

function filtered(): Refusal {
  return new Refusal(400, null, "content_policy_violation");
}
