// Budgets that keys fall under, those of their account included.
import { useAnswer } from "../../core/control.ts";
import { Waiting } from "../../kit/waiting.tsx";
import { BudgetBars } from "../../kit/budget/bars.tsx";
import { t } from "../../kit/budget/words.ts";

export function KeyBudgets({ id }: { id: string }) {
  const { data, error, reload } = useAnswer("GET /api/token/{id}/budget", { id });
  return (
    <section class="stack">
      <h3>{t().budgets}</h3>
      <Waiting {...{ data, error, reload }} lines={2} />
      {data && <BudgetBars states={data.budgets} />}
    </section>
  );
}
