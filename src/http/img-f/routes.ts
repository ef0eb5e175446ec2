// The imgF routes, as the dialect has them.
import { parseImgF, parseImgFSimpleChange } from "../../families/index.ts";
import { imgFActions } from "../../families/img-f-job.ts";
import type { JsonObject } from "../../core/json.ts";
import type { KeyRoute } from "../route.ts";
import { imgFEntries as entries, submitEntries } from "./entries.ts";
import type { ImgFParts } from "./parts.ts";
import { fetchTask, listTasks, readImage } from "./read.ts";
import { submit } from "./submit.ts";

export function imgFRoutes(parts: ImgFParts): KeyRoute[] {
  const key = { policy: "key", carriers: ["bearer"], envelope: "img-f" } as const;
  const create = (
    name: keyof typeof submitEntries,
    parse: (body: JsonObject) => ReturnType<typeof parseImgF>,
  ) =>
    ({
      ...key,
      isPaid: true,
      method: "POST",
      path: `/imgF/submit/${name}`,
      entry: submitEntries[name],
      serve: (incoming, call) => submit(parts, { incoming, call, parse }),
    }) satisfies KeyRoute;
  const free = (row: Pick<KeyRoute, "method" | "path" | "entry">, serve: typeof fetchTask) =>
    ({
      ...key,
      ...row,
      isPaid: false,
      serve: (incoming, { caller }) => serve(parts, incoming, caller),
    }) satisfies KeyRoute;
  return [
    ...imgFActions.map((action) => create(action, (body) => parseImgF(action, body))),
    create("simple-change", parseImgFSimpleChange),
    free({ method: "GET", path: "/imgF/task/{id}/fetch", entry: entries.fetch }, fetchTask),
    free({ method: "POST", path: "/imgF/task/list-by-condition", entry: entries.list }, listTasks),
    free({ method: "GET", path: "/imgF/image/{id}", entry: entries.image }, readImage),
  ];
}
