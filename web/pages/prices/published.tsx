// The published price of a model that has none yet, to begin with.
import type { PriceInput } from "../../../src/admin/contract.ts";
import { useAnswer } from "../../core/control.ts";
import { Button } from "../../kit/button.tsx";
import { lineOf } from "./parts.tsx";
import { t } from "./words.ts";

interface PublishedOptions {
  model: string;
  onTake(price: PriceInput): void;
}

export function PublishedPrice({ model, onTake }: PublishedOptions) {
  const { data } = useAnswer("GET /api/price/sync");
  const found = data?.changes.find((one) => one.model === model);
  const price = found?.after ?? null;
  if (!data || price === null) return null;
  return (
    <div class="notice" role="note">
      <span class="wrap">
        {t().published(data.list)}: <span class="number">{lineOf(price)}</span>
      </span>
      <Button isSmall onClick={() => onTake(price)}>
        {t().takePublished}
      </Button>
    </div>
  );
}
