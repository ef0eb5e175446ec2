// Vendor protocols and formats, as the gateway has them; asked for once a page.
import { useAnswer } from "../../core/control.ts";

export function useKinds() {
  return useAnswer("GET /api/vendor").data;
}
