// One role: what its people may do, in groups, and who has it.
import { useState } from "preact/hooks";
import type { RoleView } from "../../../src/admin/contract.ts";
import { count } from "../../core/format.ts";
import { openId } from "../../core/place.ts";
import { may } from "../../core/session.ts";
import { Button, LinkButton } from "../../kit/button.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Facts } from "../../kit/figures.tsx";
import type { Steps } from "../../shell/list-page.tsx";
import { areas } from "./areas.ts";
import { EditRole, RemoveRole } from "./edit.tsx";
import { aboutOf } from "./parts.tsx";
import { t } from "./words.ts";

type DetailOptions = { view: RoleView } & Steps;

export function RoleDetail({ view, onPrevious, onNext }: DetailOptions) {
  const words = t();
  const [dialog, setDialog] = useState<"change" | "remove" | null>(null);
  const close = () => setDialog(null);
  const footer = !view.built_in && view.gives && (
    <>
      <Button icon="trash" onClick={() => setDialog("remove")}>
        {words.remove}
      </Button>
      <Button kind="main" icon="edit" onClick={() => setDialog("change")}>
        {words.change}
      </Button>
    </>
  );
  return (
    <Drawer title={view.name} {...{ footer, onPrevious, onNext }} onClose={() => openId(null)}>
      {view.built_in && <p class="quiet">{words.builtInText}</p>}
      <p class="wrap">{aboutOf(view)}</p>
      <Facts pairs={[[words.areas.people, count(view.people)]]} />
      <Granted view={view} />
      {may("people.read") && (
        <div class="row">
          <LinkButton icon="people" href={`/console/people?role=${encodeURIComponent(view.name)}`}>
            {words.areas.people}
          </LinkButton>
        </div>
      )}
      {dialog === "change" && <EditRole view={view} onClose={close} />}
      {dialog === "remove" && <RemoveRole view={view} onClose={close} />}
    </Drawer>
  );
}

function Granted({ view: { permissions } }: { view: RoleView }) {
  const words = t();
  return (
    <>
      {areas.map(([area, all]) => {
        const own = all.filter((permission) => permissions.includes(permission));
        if (own.length === 0) return null;
        return (
          <section key={area} class="stack">
            <h3>{words.areas[area]}</h3>
            <ul class="granted">
              {own.map((permission) => (
                <li key={permission}>
                  {words.permissionNames[permission]} <span class="mono faint">{permission}</span>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}
