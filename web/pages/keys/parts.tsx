// Views of a key's state and its spending, in the list and in the detail.
import type { KeyView } from "../../../src/admin/contract.ts";
import { exactMoney, money } from "../../core/format.ts";
import { Amount } from "../../kit/rest/amount.tsx";
import { scope } from "../../core/scope.ts";
import { isAbove, useRoles } from "../../core/lists/roles.ts";
import { isLeading, may, self } from "../../core/session.ts";
import { Dot, Meter } from "../../kit/badge.tsx";
import { t } from "./words.ts";

export function KeyState({ view }: { view: KeyView }) {
  const hasExpired = view.expires_at !== null && view.expires_at * 1000 < Date.now();
  if (hasExpired) return <Dot tone="bad">{t().expired}</Dot>;
  if (view.status === "enabled") return <Dot tone="good">{t().enabled}</Dot>;
  const { disabled_by: by } = view;
  return <Dot tone="none">{by === null ? t().disabled : t().disabledBy[by]}</Dot>;
}

/** False for those with fewer rights than the one who disabled it. */
function mayEnable({ disabled_by: by }: KeyView, isOwn: boolean): boolean {
  if (by === null || !isOwn) return true;
  return by === "organisation" && scope !== null && isLeading();
}

/** Acts on a key: one's own, one in one's organisation, or with a permission one of those below. */
export function useKeyActs(view: KeyView | null) {
  const { account, account_role: role = "", status } = view ?? {};
  const isReached = isAbove(useRoles(), role);
  const isOwn = view !== null && (scope !== null || account === self.value?.username);
  const mayChange = isOwn || (isReached && may("keys.write"));
  const mayDisable = isReached && may("keys.disable") && status === "enabled";
  const mayTurn = mayChange && (view === null || mayEnable(view, isOwn));
  return { mayChange, mayTurn: mayTurn || mayDisable };
}

export function UsedOf({ view }: { view: KeyView }) {
  const { used_micros: used, quota_micros: all } = view;
  if (all === null) return <Amount micros={used} />;
  const text = t().usedOf(money(used), money(all));
  return (
    <div class="used">
      <span class="number" title={t().usedOf(exactMoney(used), exactMoney(all))}>
        {text}
      </span>
      <Meter part={all === 0 ? 1 : used / all} label={text} />
    </div>
  );
}
