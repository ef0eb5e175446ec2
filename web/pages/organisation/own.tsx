// Organisations that one is in, the way into another, and making one.
import type { OwnSeatView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { isMaking, setMaking } from "../../core/place.ts";
import { enterScope } from "../../core/scope.ts";
import { loadOrganisations, may, organisations } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { FormDialog } from "../../kit/dialog.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Card } from "../../kit/figures.tsx";
import { text } from "../../kit/form-fields.tsx";
import { FormBox, FormFields, formOf, useForm } from "../../kit/form.tsx";
import { Table } from "../../kit/table.tsx";
import { showToast } from "../../kit/toast.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { AllOrganisations } from "./all.tsx";
import { RoleName } from "./parts.tsx";
import { t } from "./words.ts";

export function Own() {
  const words = t();
  const hasSeats = organisations.value.length > 0;
  const seesAll = may("people.read");
  const make = (
    <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
      {words.makeOrganisation}
    </Button>
  );
  return (
    <Screen title={titleOf("organisation")} tools={make}>
      {(hasSeats || !seesAll) && (
        <Card isFlush>
          {hasSeats ? (
            <Seats rows={organisations.value} />
          ) : (
            <Empty title={words.none} text={words.noneText} />
          )}
        </Card>
      )}
      {seesAll && <AllOrganisations />}
      <Join />
      {isMaking() && <Make onClose={() => setMaking(false)} />}
    </Screen>
  );
}

function Seats({ rows }: { rows: readonly OwnSeatView[] }) {
  const words = t();
  return (
    <Table<OwnSeatView>
      label={titleOf("organisation")}
      rows={rows}
      idOf={({ id }) => id}
      columns={[
        { name: "name", head: words.name, cell: ({ name }) => name, card: "title" },
        { name: "role", head: words.role, cell: ({ role }) => <RoleName role={role} /> },
        {
          name: "open",
          head: "",
          isRight: true,
          card: "aside",
          cell: ({ id, name }) => (
            <Button isSmall label={words.actFor(name)} onClick={() => enterScope(id)}>
              {words.act}
            </Button>
          ),
        },
      ]}
    />
  );
}

const joinForm = formOf<BodyOf<"POST /api/organisation/join">>()(
  [text("code", { isRequired: true, isMono: true, autoComplete: "off" })],
  t,
);

function Join() {
  const words = t();
  const forming = useForm(joinForm, null);
  const join = useAction(async () => {
    const { name } = await send("POST /api/organisation/join", { body: forming.body() });
    await loadOrganisations();
    forming.reset();
    showToast(words.joined(name));
  });
  return (
    <Card title={words.join}>
      <p class="quiet">{words.joinText}</p>
      <FormBox action={join} submit={words.join} isNarrow>
        <FormFields forming={forming} error={join.error} />
      </FormBox>
    </Card>
  );
}

const makeForm = formOf<BodyOf<"POST /api/organisation">>()(
  [
    text("name", { isRequired: true, hasFocus: true, maxLength: 64 }),
    text("owner", { isShown: () => may("people.write") }),
  ],
  t,
);

function Make({ onClose }: { onClose(): void }) {
  const words = t();
  const forming = useForm(makeForm, null);
  const make = useAction(async () => {
    const { name } = await send("POST /api/organisation", { body: forming.body() });
    await loadOrganisations();
    refresh("/api/user");
    showToast(words.wasMade(name));
    onClose();
  });
  const { makeOrganisation: title, create: submit } = words;
  return (
    <FormDialog {...{ title, submit, onClose }} action={make}>
      <FormFields forming={forming} error={make.error} />
    </FormDialog>
  );
}
