// Fills the form with what was asked for before, to be made again or a little otherwise.
import { useEffect } from "preact/hooks";
import type { OwnTaskDetail } from "../../../src/admin/contract.ts";
import { useGet } from "../../core/api.ts";
import { query, setQuery } from "../../core/place.ts";
import { scoped } from "../../core/session.ts";
import { Failure } from "../../kit/failure.tsx";
import { showToast } from "../../kit/toast.tsx";
import { fill, offered } from "./state.ts";
import { t } from "./words.ts";

export function Again() {
  const id = query.value.get("again");
  const path = id === null ? null : `${scoped("/api/task")}/${encodeURIComponent(id)}`;
  const { data, error, reload } = useGet<OwnTaskDetail>(path);
  const again = data?.again;
  const isListed = offered.value !== null;
  useEffect(() => {
    if (id === null || !again || !isListed) return;
    fill(again.body);
    setQuery({ model: String(again.body["model"]), again: null });
    if (again.lacks.length > 0) showToast(t().lacks(again.lacks.join(", ")));
  }, [again, isListed]);
  return error && id !== null ? <Failure error={error} onRetry={reload} /> : null;
}
