// Notices: each call with its function.
import { bind } from "../bind.ts";
import { noticeCalls } from "./contract.ts";
import { listNoticeViews } from "./list.ts";
import { testDestination } from "./test-destination.ts";

export const noticeVerbs = bind(noticeCalls, { list: listNoticeViews, test: testDestination });
