// The imgF routes, as the dialect has them.
import { parseImgF, parseImgFSimpleChange } from "../../families/index.ts";
import { imgFActions } from "../../families/img-f-job.ts";
import type { JsonObject } from "../../core/json.ts";
import type { KeyRoute } from "../route.ts";
import { fetchTask, listByIds, readImage, type ReadImgFNeeds } from "./read.ts";
import { submit, type SubmitRouteNeeds } from "./submit.ts";

export interface ImgFRouteNeeds {
  creating: SubmitRouteNeeds;
  reading: ReadImgFNeeds;
}

export function imgFRoutes({ creating, reading }: ImgFRouteNeeds): KeyRoute[] {
  const key = { policy: "key", carriers: ["bearer"], envelope: "img-f" } as const;
  const create = (name: string, parse: (body: JsonObject) => ReturnType<typeof parseImgF>) =>
    ({
      ...key,
      isPaid: true,
      method: "POST",
      path: `/imgF/submit/${name}`,
      serve: (incoming, call) =>
        submit(creating, { incoming, call, isModal: name === "modal", parse }),
    }) satisfies KeyRoute;
  const free = (method: "GET" | "POST", path: string, serve: typeof fetchTask) =>
    ({
      ...key,
      isPaid: false,
      method,
      path,
      serve: (incoming, { caller }) => serve(reading, incoming, caller),
    }) satisfies KeyRoute;
  return [
    ...imgFActions.map((action) => create(action, (body) => parseImgF(action, body))),
    create("simple-change", parseImgFSimpleChange),
    free("GET", "/imgF/task/{id}/fetch", fetchTask),
    free("POST", "/imgF/task/list-by-condition", listByIds),
    free("GET", "/imgF/image/{id}", readImage),
  ];
}
