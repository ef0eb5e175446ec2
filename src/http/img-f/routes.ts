// The imgF routes, as the dialect has them.
import { parseImgF, parseImgFSimpleChange } from "../../families/index.ts";
import { imgFActions } from "../../families/img-f-job.ts";
import type { JsonObject } from "../../core/json.ts";
import type { KeyRoute } from "../route.ts";
import { imgFEntries as entries, submitEntries } from "./entries.ts";
import { fetchTask, listByIds, readImage, type ReadImgFNeeds } from "./read.ts";
import { submit, type SubmitRouteNeeds } from "./submit.ts";

export interface ImgFRouteNeeds {
  creating: SubmitRouteNeeds;
  reading: ReadImgFNeeds;
}

export function imgFRoutes({ creating, reading }: ImgFRouteNeeds): KeyRoute[] {
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
      serve: (incoming, call) =>
        submit(creating, { incoming, call, isModal: name === "modal", parse }),
    }) satisfies KeyRoute;
  const free = (row: Pick<KeyRoute, "method" | "path" | "entry">, serve: typeof fetchTask) =>
    ({
      ...key,
      ...row,
      isPaid: false,
      serve: (incoming, { caller }) => serve(reading, incoming, caller),
    }) satisfies KeyRoute;
  return [
    ...imgFActions.map((action) => create(action, (body) => parseImgF(action, body))),
    create("simple-change", parseImgFSimpleChange),
    free({ method: "GET", path: "/imgF/task/{id}/fetch", entry: entries.fetch }, fetchTask),
    free({ method: "POST", path: "/imgF/task/list-by-condition", entry: entries.list }, listByIds),
    free({ method: "GET", path: "/imgF/image/{id}", entry: entries.image }, readImage),
  ];
}
