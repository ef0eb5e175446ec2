// Windows of a budget, newest first; where each of many has its own, one of them alone is raised or
// begun anew.
import { useState } from "preact/hooks";
import type { BudgetView, BudgetWindowView } from "../../../src/admin/contract.ts";
import { pathOf, useAnswer } from "../../core/control.ts";
import { moment } from "../../core/format.ts";
import { SpentOf } from "../../kit/budget/bars.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Menu } from "../../kit/menu.tsx";
import { Waiting } from "../../kit/waiting.tsx";
import { RaiseBudget, RenewBudget, type OneOfMany } from "./edit.tsx";
import { t } from "./words.ts";

const shownMax = 50;

interface Act {
  kind: "raise" | "renew";
  one: OneOfMany;
}

export function Windows({ view, isOwn }: { view: BudgetView; isOwn: boolean }) {
  const words = t();
  const ask = { id: view.id, query: { page_size: shownMax } };
  const { data, error, reload } = useAnswer("GET /api/budget/{id}/window", ask);
  const [act, setAct] = useState<Act | null>(null);
  const close = () => setAct(null);
  const isOfMany = isOwn && view.now === null && view.status === "enabled";
  return (
    <section class="stack">
      <h3 class="row">
        {words.windows}
        <span class="push">
          <CurlButton path={pathOf("GET /api/budget/{id}/window", ask)} />
        </span>
      </h3>
      <Waiting {...{ data, error, reload }} lines={2} />
      {data?.items.length === 0 && <p class="faint">{words.noWindows}</p>}
      <ul class="stack">
        {data?.items.map((window) => (
          <li key={`${window.subject ?? ""}@${window.opened_at ?? ""}`} class="stack">
            <span class="row wraps">
              {window.subject !== null && <b>{nameOf(window)}</b>}
              {isOfMany && isOpen(window) && <Actions window={window} onAct={setAct} />}
              <span class="faint">{spanOf(window)}</span>
            </span>
            <SpentOf window={window} />
          </li>
        ))}
      </ul>
      {act?.kind === "raise" && <RaiseBudget {...{ view, one: act.one }} onClose={close} />}
      {act?.kind === "renew" && <RenewBudget {...{ view, one: act.one }} onClose={close} />}
    </section>
  );
}

interface ActionsOptions {
  window: BudgetWindowView;
  onAct(act: Act): void;
}

function Actions({ window, onAct }: ActionsOptions) {
  const words = t();
  const { subject, limit_micros } = window;
  if (subject === null) return null;
  const name = nameOf(window);
  const one = { subject, name, limit_micros };
  return (
    <Menu
      label={words.actions(name)}
      items={[
        { label: words.raise, icon: "edit", run: () => onAct({ kind: "raise", one }) },
        { label: words.renew, icon: "refresh", run: () => onAct({ kind: "renew", one }) },
      ]}
    />
  );
}

function nameOf({ subject, subject_name: name }: BudgetWindowView): string {
  return name ?? subject ?? "";
}

function isOpen({ resets_at: end }: BudgetWindowView): boolean {
  return end === null || end * 1000 > Date.now();
}

function spanOf({ opened_at: from, resets_at: to }: BudgetWindowView): string {
  return [from, to].map((at) => (at === null ? "" : moment(at, "full"))).join(" – ");
}
