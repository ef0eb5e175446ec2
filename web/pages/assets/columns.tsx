// Lists of assets.
import type { AssetView, OwnAssetView } from "../../../src/admin/contract.ts";
import { lately } from "../../core/format.ts";
import { Dot } from "../../kit/badge.tsx";
import { Button, CopyButton } from "../../kit/button.tsx";
import type { Column } from "../../kit/table.tsx";
import { t } from "./words.ts";

/** Fields of everyone's assets that one's own leave out are optional. */
export type Shown = OwnAssetView & Partial<AssetView>;

const tones = { processing: "accent", active: "good", failed: "bad" } as const;

export function AssetStatus({ asset: { status } }: { asset: Shown }) {
  return <Dot tone={tones[status]}>{t().statuses[status]}</Dot>;
}

/** The asset's name in requests. */
export function nameInRequests({ id }: Shown): string {
  return `asset://${id}`;
}

/** Only their owner deletes them; others pass null. */
export function columnsOf(
  onRemove: ((asset: Shown) => void) | null,
): (Omit<Column<Shown>, "sort"> | false)[] {
  const words = t();
  return [
    {
      name: "name",
      head: words.name,
      cell: ({ name, id }) => name || <span class="mono">{id}</span>,
      card: "title",
    },
    { name: "kind", head: words.kind, cell: ({ kind }) => words.kinds[kind], card: "line" },
    {
      name: "asset",
      head: words.inRequests,
      cell: (asset) => (
        <span class="row">
          <span class="mono faint cut">{nameInRequests(asset)}</span>
          <CopyButton text={nameInRequests(asset)} label={words.copyAsset} />
        </span>
      ),
      card: "hidden",
    },
    onRemove === null && {
      name: "account",
      head: words.account,
      cell: ({ account }) => account,
    },
    {
      name: "created",
      head: words.created,
      cell: ({ created_at }) => lately(created_at),
      card: "line",
    },
    {
      name: "status",
      head: words.status,
      cell: (asset) => <AssetStatus asset={asset} />,
      card: "aside",
    },
    onRemove !== null && {
      name: "actions",
      head: "",
      cell: (asset) => (
        <Button
          kind="plain"
          isSmall
          icon="trash"
          label={words.removeOf(asset.name || asset.id)}
          onClick={() => onRemove(asset)}
        />
      ),
      isRight: true,
      card: "hidden",
    },
  ];
}
