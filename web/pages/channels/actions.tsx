// Acts on channels that are there: one, or many at once.
import type { ChannelView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { openId } from "../../core/place.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

/** Can be undone, so it is not asked about. What runs on a disabled one goes on to its end. */
export async function setEnabled(view: ChannelView, isOn: boolean): Promise<void> {
  await send("PATCH /api/channel/{id}", {
    id: view.id,
    body: { status: isOn ? "enabled" : "disabled" },
  });
  refresh("/api/channel");
  const text = isOn ? t().wasEnabled(view.name) : t().wasDisabled(view.name);
  showToast(text, () => void setEnabled(view, !isOn));
}

export async function setPriority(view: ChannelView, priority: number): Promise<void> {
  await send("PATCH /api/channel/{id}", { id: view.id, body: { priority } });
  refresh("/api/channel");
  showToast(t().wasMoved(view.name, priority), () => void setPriority(view, view.priority));
}

export async function copyChannel(view: ChannelView): Promise<void> {
  const copy = await send("POST /api/channel/{id}/copy", { id: view.id });
  refresh("/api/channel");
  showToast(t().copied(copy.name));
  openId(copy.id);
}

type Change = NonNullable<BodyOf<"POST /api/channel/batch">["change"]>;

/** All of them or none. */
export async function changeMany(ids: readonly string[], change: Change): Promise<number> {
  const { items } = await send("POST /api/channel/batch", { body: { ids: [...ids], change } });
  refresh("/api/channel");
  return items.length;
}

interface RemoveOptions {
  ids: readonly string[];
  /** Name of the one channel, where it is one. */
  name: string | null;
  onClose(): void;
  onDone(): void;
}

export function RemoveChannels({ ids, name, onClose, onDone }: RemoveOptions) {
  const remove = useAction(async () => {
    const body = { ids: [...ids], remove: true as const };
    const { removed } = await send("POST /api/channel/batch", { body });
    onDone();
    refresh("/api/channel");
    showToast(name === null ? t().wereRemoved(removed.length) : t().wasRemoved(name));
  });
  return (
    <Confirm
      title={name === null ? t().removeMany(ids.length) : t().removeTitle(name)}
      effect={t().removeEffect}
      submit={t().remove}
      action={remove}
      onClose={onClose}
    />
  );
}
