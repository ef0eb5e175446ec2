// One budget: what it is for, what is spent of it now, and the windows before.
import { useState } from "preact/hooks";
import type { BudgetView } from "../../../src/admin/contract.ts";
import { useAnswer } from "../../core/control.ts";
import { exactMoney, moment } from "../../core/format.ts";
import { openId } from "../../core/place.ts";
import { isLeading, may, self } from "../../core/session.ts";
import { Declared, Waiting } from "../../kit/waiting.tsx";
import { Button } from "../../kit/button.tsx";
import { Id } from "../../kit/code.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Facts } from "../../kit/figures.tsx";
import type { Opened } from "../../shell/list-page.tsx";
import { ChangeBudget, RaiseBudget, RemoveBudget, RenewBudget } from "./edit.tsx";
import { Anew, everyOf, forWhom, SpentOf } from "../../kit/budget/bars.tsx";
import { Windows } from "./windows.tsx";
import { t } from "./words.ts";

type DialogName = "change" | "renew" | "raise" | "remove";

function mayChange({ account, operators }: BudgetView): boolean {
  return may("budgets.write") || (!operators && account === self.value?.username);
}

export function BudgetDetail({ id, onPrevious, onNext }: Opened<BudgetView>) {
  const { data, error, reload } = useAnswer("GET /api/budget/{id}", { id });
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const close = () => setDialog(null);
  const isOwn = data !== null && isLeading() && mayChange(data);
  const footer = data && isOwn && <Footer view={data} onOpen={setDialog} />;
  const title = data?.name ?? t().budget;
  return (
    <Drawer {...{ title, footer, onPrevious, onNext }} onClose={() => openId(null)}>
      <Waiting {...{ data, error, reload }} lines={8} />
      {data && <BudgetFacts view={data} />}
      {data && <Windows view={data} isOwn={isOwn} />}
      {data && dialog === "change" && <ChangeBudget view={data} onClose={close} />}
      {data && dialog === "renew" && <RenewBudget view={data} onClose={close} />}
      {data && dialog === "raise" && <RaiseBudget view={data} onClose={close} />}
      {data && dialog === "remove" && <RemoveBudget view={data} onClose={close} />}
    </Drawer>
  );
}

function Footer({ view, onOpen }: { view: BudgetView; onOpen(dialog: DialogName): void }) {
  const words = t();
  return (
    <>
      {!view.declared && (
        <Button icon="trash" onClick={() => onOpen("remove")}>
          {words.remove}
        </Button>
      )}
      <Button onClick={() => onOpen("renew")}>{words.renew}</Button>
      {view.now && <Button onClick={() => onOpen("raise")}>{words.raise}</Button>}
      {!view.declared && (
        <Button kind="main" icon="edit" onClick={() => onOpen("change")}>
          {words.change}
        </Button>
      )}
    </>
  );
}

function BudgetFacts({ view }: { view: BudgetView }) {
  const words = t();
  return (
    <>
      {view.declared && <Declared />}
      {!may("budgets.write") && view.operators && <p class="quiet wrap">{words.operators}</p>}
      <Facts
        pairs={[
          view.now !== null && [
            words.now,
            <>
              <SpentOf window={view.now} />
              <Anew window={view.now} />
            </>,
          ],
          [words.limit, <span class="number">{exactMoney(view.limit_micros)}</span>],
          [words.scope, forWhom(view)],
          may("budgets.read") && [words.account, view.account],
          [words.period, everyOf(view)],
          [words.mode, words.modes[view.mode]],
          [words.models, view.models?.join(", ") ?? words.allModels],
          view.period !== "hours" && [words.zone, view.zone],
          view.carry_micros_max > 0 && [words.carried, exactMoney(view.carry_micros_max)],
          [words.marks, view.marks.map((mark) => words.percent(mark)).join(", ")],
          [words.status, view.status === "enabled" ? words.enabled : words.disabled],
          [words.created, moment(view.created_at, "full")],
          [words.id, <Id text={view.id} />],
        ]}
      />
    </>
  );
}
