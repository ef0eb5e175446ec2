// The routes by which contents of requests are captured and read.
import type { CaptureNeeds } from "../../admin/capture/needs.ts";
import { captureVerbs } from "../../admin/capture/verbs.ts";
import { routesOf } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function captureRoutes(needs: CaptureNeeds): ControlRoute[] {
  return routesOf(needs, captureVerbs);
}
