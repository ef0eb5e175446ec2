// The switch in the top bar: oneself, or an organisation that one is in.
import { organisations } from "../core/session.ts";
import { enterScope, scope } from "../core/scope.ts";
import { Menu } from "../kit/menu.tsx";
import { t } from "./words.ts";

export function ScopeSwitch() {
  const all = organisations.value;
  if (all.length === 0) return null;
  const words = t();
  const shown = all.find(({ id }) => id === scope)?.name ?? words.me;
  const choices = [{ id: null, name: words.me }, ...all];
  return (
    <span class="scope">
      <Menu
        icon="people"
        isSmall={false}
        label={words.actingFor(shown)}
        items={choices.map(({ id, name }) => ({
          label: name,
          ...(id === scope && { icon: "check" as const }),
          run: () => enterScope(id),
        }))}
      >
        <span class="cut">{shown}</span>
      </Menu>
    </span>
  );
}
