// One price with all of its amounts, tiers and rules, and the lowest that anybody asks.
import { useState } from "preact/hooks";
import type { PriceView } from "../../../src/admin/contract.ts";
import { may } from "../../core/session.ts";
import { refresh, useAction } from "../../core/api.ts";
import { pathOf, send, useAnswer } from "../../core/control.ts";
import { change, count, fullMoney } from "../../core/format.ts";
import { openId } from "../../core/place.ts";
import { Declared } from "../../kit/waiting.tsx";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Confirm } from "../../kit/dialog.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Facts } from "../../kit/figures.tsx";
import { Table } from "../../kit/table.tsx";
import { showToast } from "../../kit/toast.tsx";
import type { Steps } from "../../shell/list-page.tsx";
import { amountNames } from "./draft.ts";
import { EditPrice } from "./edit.tsx";
import { hoursText } from "./hours.tsx";
import { pieceOf } from "./parts.tsx";
import { t } from "./words.ts";

type DetailOptions = { view: PriceView } & Steps;

export function PriceDetail({ view, onPrevious, onNext }: DetailOptions) {
  const words = t();
  const [dialog, setDialog] = useState<"change" | "back" | null>(null);
  const close = () => setDialog(null);
  const isOwn = view.source === "own";
  const footer = !view.declared && may("prices.write") && (
    <>
      {isOwn && <Button onClick={() => setDialog("back")}>{words.back}</Button>}
      <Button kind="main" icon="edit" onClick={() => setDialog("change")}>
        {isOwn ? words.change : words.own}
      </Button>
    </>
  );
  return (
    <Drawer title={view.model} {...{ footer, onPrevious, onNext }} onClose={() => openId(null)}>
      {view.declared && <Declared />}
      <Amounts view={view} />
      <Lowest view={view} />
      <Rules view={view} />
      <div class="row">
        <CurlButton path={pathOf("GET /api/price/known", { query: { model: view.model } })} />
      </div>
      {dialog === "change" && <EditPrice model={view.model} view={view} onClose={close} />}
      {dialog === "back" && <GoBack view={view} onClose={close} />}
    </Drawer>
  );
}

function Amounts({ view }: { view: PriceView }) {
  const words = t();
  const { factors = {}, long_context: long, tool_micros: tools = {} } = view;
  const { output_tokens_max: outputMax } = view;
  return (
    <Facts
      pairs={[
        [words.source, <Badge>{words.sources[view.source]}</Badge>],
        ...amountNames.map((name) => {
          const micros = view[name];
          return micros === undefined ? false : ([words.amounts[name], fullMoney(micros)] as const);
        }),
        outputMax === undefined ? false : [words.outputMax, count(outputMax)],
        long
          ? [
              words.longContext,
              words.longContextOf(
                count(long.above_tokens),
                long.input_percent,
                long.output_percent,
              ),
            ]
          : false,
        ...Object.entries(factors).map(
          ([name, one]) => [name, words.percentOf(one.input_percent, one.output_percent)] as const,
        ),
        ...(view.hours ?? []).map((window) => [words.hours, hoursText(window)] as const),
        ...Object.entries(tools).map(([name, micros]) => [name, fullMoney(micros)] as const),
      ]}
    />
  );
}

/** Distance of the price from the lowest that is known of the model. */
function Lowest({ view }: { view: PriceView }) {
  const words = t();
  const { data } = useAnswer("GET /api/price/known", { query: { model: view.model } });
  if (!data) return null;
  const { input_micros_per_million: input, output_micros_per_million: output } = data.lowest;
  if (input === null || output === null) return null;
  const over = (own: number | undefined, least: number) =>
    own === undefined ? words.nothing : change(own, least);
  const margin = words.marginOf(
    over(view.input_micros_per_million, input),
    over(view.output_micros_per_million, output),
  );
  return (
    <Facts
      pairs={[
        [words.lowest, words.lowestOf(fullMoney(input), fullMoney(output))],
        [words.margin, margin],
      ]}
    />
  );
}

function Rules({ view: { rules = [] } }: { view: PriceView }) {
  const words = t();
  if (rules.length === 0) return null;
  const conditions = ["size", "quality", "resolution", "tier"] as const;
  const used = conditions.filter((name) => rules.some((rule) => rule[name] !== undefined));
  return (
    <section class="stack">
      <h3>{words.rules}</h3>
      <Table
        label={words.rules}
        rows={rules}
        idOf={(rule) => JSON.stringify(rule)}
        columns={[
          ...used.map((name) => ({
            name,
            head: words[name],
            cell: (rule: (typeof rules)[number]) => rule[name] ?? words.nothing,
          })),
          { name: "piece", head: words.piece, cell: (rule) => pieceOf({ model: "", ...rule }) },
        ]}
      />
    </section>
  );
}

function GoBack({ view: { model }, onClose }: { view: PriceView; onClose(): void }) {
  const remove = useAction(async () => {
    await send("DELETE /api/price", { query: { model } });
    refresh("/api/price", "/api/channel");
    showToast(t().wentBack(model));
  });
  return (
    <Confirm
      title={t().backTitle(model)}
      effect={t().backEffect}
      submit={t().back}
      action={remove}
      onClose={onClose}
    />
  );
}
