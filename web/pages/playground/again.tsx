// Fills the form with what was asked for before, to be made again or a little otherwise.
import { useEffect } from "preact/hooks";
import { useAnswer } from "../../core/control.ts";
import { query, setQuery } from "../../core/place.ts";
import { scopedAt } from "../../core/session.ts";
import { Failure } from "../../kit/failure.tsx";
import { showToast } from "../../kit/toast.tsx";
import { fill, offered } from "./state.ts";
import { t } from "./words.ts";

export function Again() {
  const id = query.value.get("again");
  const at = scopedAt("GET /api/task/{id}", "GET /api/task/self/{id}");
  const { data, error, reload } = useAnswer(id === null ? null : at, { id: id ?? "" });
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
