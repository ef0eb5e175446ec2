// The routes by which contents of requests are captured and read.
import type { CaptureNeeds } from "../../admin/capture/needs.ts";
import { captureVerbs } from "../../admin/capture/verbs.ts";
import { rowsWith } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function captureRoutes(needs: CaptureNeeds): ControlRoute[] {
  const row = rowsWith(needs);
  return [
    row("GET", "/api/capture", "user", captureVerbs.list),
    row("POST", "/api/capture", "user", captureVerbs.create),
    row("DELETE", "/api/capture/{id}", "user", captureVerbs.remove),
    row("GET", "/api/log/self/{id}/content", "user", captureVerbs.readOwn),
    row("GET", "/api/log/{id}/content", "admin", captureVerbs.read),
  ];
}
